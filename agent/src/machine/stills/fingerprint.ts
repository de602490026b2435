/** Raw pixels, 4 bytes each (red, green, blue, unused), rows without padding. */
export interface RawFrame {
  width: number
  height: number
  pixels: Uint8Array | Uint8ClampedArray
}
export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

const columns = 18
const rowCount = 16
/** Mean colours of one block may differ by this much (of 255) in a frame that counts as unchanged. */
const sameColour = 2
/** Every second pixel of every second row is enough for a mean, at a quarter of the cost. */
const stride = 2

/** What a still looks like from afar: mean colours of 18×16 blocks, and the difference hash made from them. */
export interface Fingerprint {
  blocks: Float32Array
  hash: bigint
  varies: boolean
}

const luminance = (blocks: Float32Array, cell: number): number =>
  0.299 * blocks[cell * 3]! + 0.587 * blocks[cell * 3 + 1]! + 0.114 * blocks[cell * 3 + 2]!

/**
 * Difference hash (dHash) over 9×8 cells: one bit for each pair of neighbours, set where the left one is brighter.
 * Each cell is the mean of 2×2 blocks.
 */
const differenceHash = (blocks: Float32Array): bigint => {
  const cell = (x: number, y: number): number => {
    const corner = y * 2 * columns + x * 2
    const rows = [corner, corner + 1, corner + columns, corner + columns + 1]
    return rows.reduce((sum, index) => sum + luminance(blocks, index), 0) / 4
  }
  let hash = 0n
  for (let y = 0; y < 8; y += 1) {
    for (let x = 0; x < 8; x += 1) hash = (hash << 1n) | (cell(x, y) > cell(x + 1, y) + 0.5 ? 1n : 0n)
  }
  return hash
}

interface BlockMean {
  red: number
  green: number
  blue: number
  varies: boolean
}

const blockMean = (frame: RawFrame, left: number, top: number, right: number, bottom: number): BlockMean => {
  const { pixels, width } = frame
  const first = (top * width + left) * 4
  let red = 0
  let green = 0
  let blue = 0
  let count = 0
  let varies = false
  for (let y = top; y < bottom; y += stride) {
    let at = (y * width + left) * 4
    for (let x = left; x < right; x += stride) {
      red += pixels[at]!
      green += pixels[at + 1]!
      blue += pixels[at + 2]!
      if (!varies && pixels[at] !== pixels[first]) varies = true
      at += 4 * stride
      count += 1
    }
  }
  count = Math.max(count, 1)
  return { red: red / count, green: green / count, blue: blue / count, varies }
}

/** The fingerprint of one part of a frame (a display). About 3 ms for 1080p. */
export const fingerprint = (frame: RawFrame, area: Rectangle): Fingerprint => {
  const blocks = new Float32Array(columns * rowCount * 3)
  let varies = false
  for (let row = 0; row < rowCount; row += 1) {
    const top = area.y + Math.floor((row * area.height) / rowCount)
    const bottom = area.y + Math.floor(((row + 1) * area.height) / rowCount)
    for (let column = 0; column < columns; column += 1) {
      const left = area.x + Math.floor((column * area.width) / columns)
      const right = area.x + Math.floor(((column + 1) * area.width) / columns)
      const mean = blockMean(frame, left, top, right, bottom)
      blocks.set([mean.red, mean.green, mean.blue], (row * columns + column) * 3)
      varies ||= mean.varies
    }
  }
  for (let i = 3; !varies && i < blocks.length; i += 1) varies = Math.abs(blocks[i]! - blocks[i % 3]!) > 0.5
  return { blocks, hash: differenceHash(blocks), varies }
}

/** How many numbers the block colours of a fingerprint are. */
export const blockValues = columns * rowCount * 3

/** The hash as 16 hex digits. */
export const hashText = (print: Fingerprint): string => print.hash.toString(16).padStart(16, '0')

/**
 * Whether two stills show the same. The hash alone cannot tell one plain colour from another nor see a line of text,
 * so the block colours have to agree too.
 */
export const sameFrame = (a: Fingerprint, b: Fingerprint): boolean =>
  a.hash === b.hash && a.blocks.every((value, index) => Math.abs(value - b.blocks[index]!) <= sameColour)
