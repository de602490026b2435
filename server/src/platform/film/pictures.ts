/*
 * Pictures as the encoder takes them: planar YUV 4:2:0, 8 bit, BT.709, limited range, the planes Y, U and V behind each
 * other without padding. Width, height, and the places where pictures are put are even.
 */

export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}
/** Coverage, one byte for each pixel: 0 leaves what is there, 255 replaces it. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const pictureBytes = (width: number, height: number): number => (width * height * 3) / 2

/** A grey picture; luma 16 is black and 235 white. */
export const createPicture = (width: number, height: number, luma: number): Picture => {
  const data = Buffer.allocUnsafe(pictureBytes(width, height))
  data.fill(luma, 0, width * height)
  data.fill(128, width * height)
  return { width, height, data }
}

/** Luma of a grey of sRGB value 0 to 255. */
export const lumaOfGrey = (grey: number): number => 16 + Math.round((grey * 219) / 255)

/** Fills a rectangle with a grey. */
export const fillGrey = (target: Picture, at: Rectangle, luma: number): void => {
  for (let row = at.y; row < at.y + at.height; row++) {
    target.data.fill(luma, row * target.width + at.x, row * target.width + at.x + at.width)
  }
  const half = target.width / 2
  for (const plane of [target.width * target.height, (target.width * target.height * 5) / 4]) {
    for (let row = at.y >> 1; row < (at.y + at.height) >> 1; row++) {
      const from = plane + row * half + (at.x >> 1)
      target.data.fill(128, from, from + (at.width >> 1))
    }
  }
}

const putPlane = (
  target: { data: Buffer; offset: number; width: number },
  source: { data: Buffer; offset: number; width: number; height: number },
  at: { x: number; y: number },
): void => {
  if (source.width === target.width) {
    const length = source.width * source.height
    source.data.copy(target.data, target.offset + at.y * target.width, source.offset, source.offset + length)
    return
  }
  for (let row = 0; row < source.height; row++) {
    const from = source.offset + row * source.width
    source.data.copy(target.data, target.offset + (at.y + row) * target.width + at.x, from, from + source.width)
  }
}

/** Puts a picture, whole, on another; it must lie within it. */
export const putPicture = (target: Picture, source: Picture, at: { x: number; y: number }): void => {
  const size = { target: target.width * target.height, source: source.width * source.height }
  putPlane({ data: target.data, offset: 0, width: target.width }, { ...source, offset: 0 }, at)
  for (const plane of [1, 1.25]) {
    putPlane(
      { data: target.data, offset: size.target * plane, width: target.width / 2 },
      { data: source.data, offset: size.source * plane, width: source.width / 2, height: source.height / 2 },
      { x: at.x / 2, y: at.y / 2 },
    )
  }
}

/** Draws a mask in a grey on a grey ground; what lies outside the picture is left out. */
export const drawMask = (target: Picture, mask: Mask, at: { x: number; y: number }, luma: number): void => {
  const right = Math.min(mask.width, target.width - at.x)
  const bottom = Math.min(mask.height, target.height - at.y)
  for (let row = Math.max(0, -at.y); row < bottom; row++) {
    for (let column = Math.max(0, -at.x); column < right; column++) {
      const coverage = mask.data[row * mask.width + column] as number
      if (coverage === 0) continue
      const place = (at.y + row) * target.width + at.x + column
      const ground = target.data[place] as number
      target.data[place] = ground + Math.round(((luma - ground) * coverage) / 255)
    }
  }
}

/**
 * From 8-bit RGB, three bytes a pixel, to BT.709 limited range in 8-bit fixed point (ITU-R BT.709-6, section 3); chroma
 * is the mean of the four pixels it stands for.
 */
export const pictureFromRgb = (rgb: Uint8Array, width: number, height: number): Picture => {
  const data = Buffer.allocUnsafe(pictureBytes(width, height))
  let chroma = width * height
  const distance = chroma >> 2
  for (let row = 0; row < height; row += 2) {
    let upper = row * width * 3
    let place = row * width
    for (let column = 0; column < width; column += 2) {
      let red = 0
      let green = 0
      let blue = 0
      for (let corner = 0; corner < 4; corner++) {
        const at = upper + (corner & 1) * 3 + (corner >> 1) * width * 3
        const r = rgb[at] as number
        const g = rgb[at + 1] as number
        const b = rgb[at + 2] as number
        data[place + (corner & 1) + (corner >> 1) * width] = 16 + ((47 * r + 157 * g + 16 * b + 128) >> 8)
        red += r
        green += g
        blue += b
      }
      data[chroma] = 128 + ((-26 * red - 86 * green + 112 * blue + 512) >> 10)
      data[chroma + distance] = 128 + ((112 * red - 102 * green - 10 * blue + 512) >> 10)
      chroma += 1
      upper += 6
      place += 2
    }
  }
  return { width, height, data }
}
