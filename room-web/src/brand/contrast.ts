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

/** Contrast with white, 1 to 21. */
export const contrastWithWhite = (colour: string): number => 1.05 / (luminance(parse(colour) ?? [255, 255, 255]) + 0.05)

const hex = (rgb: Rgb): string => `#${rgb.map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`

/**
 * An organisation's colour, darkened as far as white text on it, and it on white, can be read. Undefined for what is not
 * a colour.
 */
export const readableAccent = (colour: string): string | undefined => {
  let rgb = parse(colour)
  while (rgb && contrastWithWhite(hex(rgb)) < enough) rgb = [rgb[0] * 0.95, rgb[1] * 0.95, rgb[2] * 0.95]
  return rgb && hex(rgb)
}
