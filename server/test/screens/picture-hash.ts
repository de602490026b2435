import sharp from 'sharp'

/** A band is a stretch of the picture from left to right, so many pixels high. */
const bandPixels = 64
const columns = 33
const quarters = 4
/** Bits that may differ in a band: an edge that is smoothed otherwise is no change; a word is more. */
const bitsApart = 4
/** Of 255, by which neighbours have to differ to count as an edge. */
const edge = 3

const hex = (bits: readonly boolean[]): string =>
  Array.from({ length: bits.length / 4 }, (_, n) =>
    bits
      .slice(n * 4, n * 4 + 4)
      .reduce((sum, bit) => sum * 2 + Number(bit), 0)
      .toString(16),
  ).join('')

const greys = async (png: Uint8Array, width: number, bands: number): Promise<Buffer> =>
  sharp(png).flatten({ background: '#fff' }).greyscale().resize(width, bands, { fit: 'fill' }).raw().toBuffer()

/**
 * What a picture looks like, in a few characters for each 64 pixels of its height: the lightness of its quarters in sixteen
 * steps, and where it gets darker from left to right in thirty-two (a difference hash). Begins with its width.
 */
export const pictureHash = async (png: Uint8Array): Promise<string> => {
  const { width, height } = await sharp(png).metadata()
  const bands = Math.ceil(height / bandPixels)
  const [fine, coarse] = [await greys(png, columns, bands), await greys(png, quarters, bands)]
  const of = (band: number): string => {
    const line = fine.subarray(band * columns, (band + 1) * columns)
    const bits = Array.from({ length: columns - 1 }, (_, n) => (line[n] ?? 0) - (line[n + 1] ?? 0) > edge)
    const lightness = [...coarse.subarray(band * quarters, (band + 1) * quarters)]
    return lightness.map((grey) => (grey >> 4).toString(16)).join('') + hex(bits)
  }
  return `${width} ${Array.from({ length: bands }, (_, band) => of(band)).join('.')}`
}

const onesOf = (n: number): number => n.toString(2).replaceAll('0', '').length

const bandsApart = (one: string, other: string): boolean => {
  const light = (band: string, n: number) => Number.parseInt(band[n] ?? '0', 16)
  for (let n = 0; n < quarters; n++) if (Math.abs(light(one, n) - light(other, n)) > 1) return true
  const [a, b] = [one, other].map((band) => Number.parseInt(band.slice(quarters), 16)) as [number, number]
  return onesOf((a ^ b) >>> 0) > bitsApart
}

/** Where two pictures look different, in pixels from the top; 0 where one of them is wider or higher. Undefined: they look alike. */
export const differsAt = (one: string, other: string): number | undefined => {
  const [[width, bands = ''], [otherWidth, otherBands = '']] = [one.split(' '), other.split(' ')]
  const [a, b] = [bands.split('.'), otherBands.split('.')]
  if (width !== otherWidth || a.length !== b.length) return 0
  const at = a.findIndex((band, n) => bandsApart(band, b[n] ?? ''))
  return at === -1 ? undefined : at * bandPixels
}
