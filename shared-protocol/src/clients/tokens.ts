/** A colour in the light scheme and in the dark one, `#rrggbb`. */
type Shades = readonly [light: string, dark: string]
export type Scheme = 'light' | 'dark'

/** The one set of colours: what means the same looks the same in the window, in a browser and on the phone. */
const shared = {
  /** An organisation's own takes its place. */
  accent: ['#1d4f91', '#8ab4f8'],
  onAccent: ['#ffffff', '#161b22'],
  ground: ['#f6f8fa', '#0f141a'],
  surface: ['#ffffff', '#161b22'],
  text: ['#1b1f24', '#e6edf3'],
  soft: ['#57606a', '#a9b4c0'],
  line: ['#7d868f', '#768390'],
  attention: ['#fff6dd', '#34290c'],
} as const satisfies Readonly<Record<string, Shades>>

/** In use, people may be looking: solid, the same by day and by night, and never an organisation's own. */
const recording = ['#b3201b', '#b3201b'] as const
const onRecording = ['#ffffff', '#ffffff'] as const

/** What the room, the link pages and the agent's window are coloured with. */
export const pageColours = {
  ...shared,
  recording,
  onRecording,
  edge: ['#d0d7de', '#373e47'],
  red: ['#b3201b', '#ff8a80'],
  onRed: ['#ffffff', '#161b22'],
  green: ['#1a7f37', '#56d364'],
  amber: ['#8a5a00', '#e3b341'],
  notice: ['#eef4fb', '#16253a'],
  attentionLine: ['#9a6700', '#d4a72c'],
  /** Behind a picture, and what is written where there is none. */
  picture: ['#24292f', '#24292f'],
  onPicture: ['#ffffff', '#ffffff'],
} as const satisfies Readonly<Record<string, Shades>>

export const phoneColours = {
  ...shared,
  red: recording,
  onRed: onRecording,
  interrupted: ['#573a00', '#ffcf70'],
  onInterrupted: ['#ffffff', '#2b1d00'],
  onAttention: ['#573a00', '#ffe3a3'],
  picture: ['#000000', '#000000'],
  onPicture: ['#ffffff', '#ffffff'],
} as const satisfies Readonly<Record<string, Shades>>

/** Which of the pages' colours stand where the system replaces all of them. */
export const forcedColours = {
  dot: 'Highlight',
  marked: 'Highlight',
  done: 'CanvasText',
  figure: 'CanvasText',
} as const

/** Distances, in CSS pixels where the text has its usual size. */
export const space = { xs: 4, s: 8, m: 12, l: 16, xl: 20, xxl: 24 } as const

/** In CSS pixels where the text has its usual size: it grows with it. */
export const pageSizes = {
  textXs: 13.6,
  textS: 14.4,
  textM: 16,
  textL: 18.4,
  textXl: 20,
  textCount: 24,
  textTitle: 25.6,
  textCode: 36,
  /** The least height of what is pressed (WCAG 2.2, 2.5.8 asks for 24). */
  target: 44,
  column: 672,
  wideColumn: 1024,
  windowColumn: 640,
  windowWideColumn: 896,
} as const

/** In CSS pixels, whatever the size of the text. */
export const pageLines = { radiusS: 4, radiusM: 8, radiusL: 12, lineS: 1, lineM: 2, lineL: 3, lineXl: 4 } as const

/** In density-independent pixels: [size, line height] of each text. */
export const phoneText = {
  title: [26, 34],
  heading: [18, 26],
  body: [17, 26],
  button: [17, 24],
  code: [24, 32],
  notice: [16, 24],
  soft: [15, 22],
} as const satisfies Readonly<Record<string, readonly [size: number, height: number]>>

/** In density-independent pixels. */
export const phoneSizes = {
  radiusM: 8,
  radiusL: 12,
  line: 2,
  target: 44,
  button: 48,
  input: 56,
  column: 560,
  logoWidth: 120,
  logoHeight: 28,
} as const

/** How a light breathes, for those who do not want fewer movements. */
export const breathing = 'breathe 3s ease-in-out infinite'

export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The custom property that takes the place of a page's colour. */
export const brandProperty = (scheme: Scheme, name: string): string => `--brand-${scheme}-${kebab(name)}`

/** The colours of one scheme by name. */
export const coloursIn = <Name extends string>(
  colours: Readonly<Record<Name, Shades>>,
  scheme: Scheme,
): Readonly<Record<Name, string>> => {
  const shade = scheme === 'light' ? 0 : 1
  const rows = Object.entries<Shades>(colours).map(([name, shades]) => [name, shades[shade]])
  return Object.fromEntries(rows) as Record<Name, string>
}

/** What an organisation's own accent has to be readable on: of all surfaces that it stands on, the nearest to it. */
export const pageGrounds = { light: pageColours.notice[0], dark: pageColours.attention[1] } as const
export const phoneGrounds = { light: phoneColours.ground[0], dark: phoneColours.surface[1] } as const
