/** WCAG 2.2: 1.4.3 asks 4.5:1 of text, 1.4.11 3:1 of what has to be seen to use a control. */
const enough = 4.5

type Rgb = readonly [number, number, number]

/** `#rgb` or `#rrggbb`. */
const parse = (text: string): Rgb | undefined => {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)
  const parts = short?.slice(1).map((digit) => digit + digit) ?? long?.slice(1)
  if (!parts) return undefined
  const [r = 0, g = 0, b = 0] = parts.map((part) => Number.parseInt(part, 16))
  return [r, g, b]
}

const luminance = (rgb: Rgb): number => {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
    const c = channel / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const ratio = (a: Rgb, b: Rgb): number => {
  const [brighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (brighter + 0.05) / (darker + 0.05)
}

/** Contrast of two colours, 1 to 21; 1 for what is not a colour. */
export const contrastOf = (a: string, b: string): number => {
  const [first, second] = [parse(a), parse(b)]
  return first && second ? ratio(first, second) : 1
}

const dark = (rgb: Rgb): boolean => luminance(rgb) <= 0.18

/** Whether white is read on it better than black. */
export const isDark = (colour: string): boolean => {
  const rgb = parse(colour)
  return rgb !== undefined && dark(rgb)
}

const hex = (rgb: Rgb): string => `#${rgb.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`

/** A step of a twentieth on the way to another colour. */
const nearer = (from: Rgb, to: Rgb): Rgb => {
  const step = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * 0.05
  return [step(0), step(1), step(2)]
}

/**
 * An organisation's colour, moved as far towards black on a light ground, or white on a dark one, as it needs for text of
 * it on the ground, and of the ground on it, to be read. Undefined for what is not a colour.
 */
export const readableAccent = (colour: string, ground: string): string | undefined => {
  const behind = parse(ground)
  let rgb = parse(colour)
  if (!rgb || !behind) return undefined
  const away: Rgb = dark(behind) ? [255, 255, 255] : [0, 0, 0]
  while (contrastOf(hex(rgb), ground) < enough) rgb = nearer(rgb, away)
  return hex(rgb)
}
