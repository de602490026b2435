import {
  brandProperty,
  breathing,
  coloursIn,
  forcedColours,
  kebab,
  pageColours,
  pageLines,
  pageSizes,
  phoneColours,
  type Scheme,
  space,
} from './clients/tokens.ts'

type Properties = Readonly<Record<string, string>>

const named = <Value>(
  values: Readonly<Record<string, Value>>,
  css: (value: Value) => string,
  prefix = '',
): Properties =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${prefix}${kebab(name)}`, css(value)]))

const rem = (pixels: number): string => `${pixels / 16}rem`

const rule = (properties: Properties, indent: string): string => {
  const lines = Object.entries(properties).map(([name, value]) => `${indent}  ${name}: ${value};\n`)
  return `${indent}:root {\n${lines.join('')}${indent}}\n`
}
const within = (media: string, properties: Properties): string => `\n@media (${media}) {\n${rule(properties, '  ')}}\n`

const header = '/* Generated from the design tokens by `npm run generate`. */\n'
const dark = 'prefers-color-scheme: dark'

/** Each with an organisation's own in its place, where there is one. */
const coloursOf = (colours: Readonly<Record<string, string>>, scheme: Scheme): Properties =>
  Object.fromEntries(
    Object.entries(colours).map(([name, value]) => [
      `--${kebab(name)}`,
      `var(${brandProperty(scheme, name)}, ${value})`,
    ]),
  )
const coloursOfPages = (scheme: Scheme): Properties => coloursOf(coloursIn(pageColours, scheme), scheme)
const coloursOfPhone = (scheme: Scheme): Properties => coloursOf(coloursIn(phoneColours, scheme), scheme)

/** The custom properties of the pages and the window. */
const pageTokens = (): string => {
  const light = {
    ...coloursOfPages('light'),
    '--dot': 'var(--on-recording)',
    '--marked': 'var(--accent)',
    '--done': 'var(--green)',
    '--figure': 'var(--soft)',
    ...named(space, rem, 'space-'),
    ...named(pageSizes, rem),
    ...named(pageLines, (pixels) => `${pixels}px`),
    '--breathing': 'none',
  }
  return [
    header,
    rule(light, ''),
    within(dark, coloursOfPages('dark')),
    within('prefers-reduced-motion: no-preference', { '--breathing': breathing }),
    within(
      'forced-colors: active',
      named(forcedColours, (value) => value),
    ),
  ].join('')
}

/** What the phone's page is coloured with before its script has drawn anything. */
const phoneTokens = (): string => `${header}${rule(coloursOfPhone('light'), '')}${within(dark, coloursOfPhone('dark'))}`

/** The style sheets that are made of the design tokens, by their path in the tree. */
export const tokenSheets = (): Record<string, string> => ({
  'shared-ui/src/web/tokens.css': pageTokens(),
  'companion/public/tokens.css': phoneTokens(),
})
