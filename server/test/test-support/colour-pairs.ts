import { contrastOf } from '@integrity/protocol/clients/contrast'
import type { Page } from 'playwright-core'

/** Colours as they are on the screen, `#rrggbb`. */
export interface ColourPair {
  readonly front: string
  readonly ground: string
  /** At least 24 pixels, or 18.66 and bold (WCAG 2.2, 1.4.3). */
  readonly large: boolean
  /** Some of the text that is written so. */
  readonly text: string
}

/** In the page: every text that is seen, with the colour of what is behind it. What cannot be used is exempt. */
const measure = `(() => {
  const hex = (rgb) => '#' + rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number)
    return { rgb: [r, g, b], a }
  }
  const over = ({ rgb, a }, under) => rgb.map((part, n) => part * a + under[n] * (1 - a))
  const groundOf = (element) => {
    if (!element) return [255, 255, 255]
    const { backgroundColor } = getComputedStyle(element)
    const own = parse(backgroundColor)
    return own.a === 1 ? own.rgb : over(own, groundOf(element.parentElement))
  }
  const found = new Map()
  const note = (element, { color, fontSize, fontWeight }, text) => {
    let seen = parse(color).a
    for (let up = element; up; up = up.parentElement) seen *= Number(getComputedStyle(up).opacity)
    const ground = groundOf(element)
    const size = parseFloat(fontSize)
    const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
    const pair = { front: hex(over({ rgb: parse(color).rgb, a: seen }, ground)), ground: hex(ground), large, text: text.slice(0, 40) }
    found.set(pair.front + pair.ground + large, pair)
  }
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-disabled="true"], :disabled')
  }
  // A drawing's words are filled.
  const lookOf = (element) => {
    const { color, fill, fontSize, fontWeight } = getComputedStyle(element)
    return { color: element instanceof SVGElement ? fill : color, fontSize, fontWeight }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement
    if (node.data.trim() !== '' && !element.closest('script, style, noscript') && isSeen(element)) note(element, lookOf(element), node.data.trim())
  }
  for (const field of document.querySelectorAll('input, textarea'))
    if (isSeen(field)) {
      note(field, getComputedStyle(field), field.value || field.name)
      if (field.placeholder) note(field, getComputedStyle(field, '::placeholder'), field.placeholder)
    }
  return [...found.values()]
})()`

export const colourPairsOf = (page: Page): Promise<ColourPair[]> => page.evaluate<ColourPair[]>(measure)

/** Those of them that cannot be read, in words. */
export const unreadable = (pairs: readonly ColourPair[]): string[] =>
  pairs
    .filter(({ front, ground, large }) => contrastOf(front, ground) < (large ? 3 : 4.5))
    .map(({ front, ground, text }) => `"${text}": ${front} on ${ground} is ${contrastOf(front, ground).toFixed(2)}`)

/** The pairs of which both are the palette's, by their names there, sorted. */
export const namedPairs = (pairs: readonly ColourPair[], palette: Readonly<Record<string, string>>): string[] => {
  const nameOf = (colour: string) => Object.entries(palette).find(([, value]) => value === colour)?.[0]
  const named = pairs.flatMap(({ front, ground }) => {
    const [above, below] = [nameOf(front), nameOf(ground)]
    return above !== undefined && below !== undefined ? [`${above} on ${below}`] : []
  })
  return [...new Set(named)].sort()
}
