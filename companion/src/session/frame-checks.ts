import type { GreyFrame } from './session.types.ts'

/** What can be told of one frame. `unknown`: not measured, or not measurable in this frame. */
export interface FrameChecks {
  readonly light: 'good' | 'too_dark' | 'too_bright' | 'unknown'
  readonly sharp: 'good' | 'blurred' | 'unknown'
  /** A picture that is wider than high shows more of a desk. */
  readonly shape: 'wide' | 'tall' | 'unknown'
}

export const noFrame: FrameChecks = { light: 'unknown', sharp: 'unknown', shape: 'unknown' }

/** Of 255. Below it hands cannot be told from a desk; above it paper and screens are one white patch. */
const darkBelow = 45
const brightAbove = 215
/** Variance of the Laplacian, in squared grey levels, at the sample's size of about 160 × 120. */
const blurredBelow = 40

/** The mean grey level, 0 to 255; 0 for an empty frame. */
export const brightness = ({ pixels }: GreyFrame): number => {
  if (pixels.length === 0) return 0
  let sum = 0
  for (const value of pixels) sum += value
  return sum / pixels.length
}

/**
 * How much fine detail a frame has: the variance of its Laplacian (Pech-Pacheco et al., "Diatom autofocusing in
 * brightfield microscopy", ICPR 2000). 0 for a frame too small to have any.
 */
export const sharpness = ({ width, height, pixels }: GreyFrame): number => {
  let sum = 0
  let squares = 0
  let count = 0
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const around = pixels[at - 1]! + pixels[at + 1]! + pixels[at - width]! + pixels[at + width]!
      const value = around - 4 * pixels[at]!
      sum += value
      squares += value * value
      count += 1
    }
  if (count === 0) return 0
  const mean = sum / count
  return squares / count - mean * mean
}

const lightOf = (level: number): FrameChecks['light'] => {
  if (level < darkBelow) return 'too_dark'
  return level > brightAbove ? 'too_bright' : 'good'
}

/** Whether a dark or a dazzled frame is sharp cannot be told. */
export const checkFrame = (frame: GreyFrame): FrameChecks => {
  const light = lightOf(brightness(frame))
  const sharp = light !== 'good' ? 'unknown' : sharpness(frame) < blurredBelow ? 'blurred' : 'good'
  return { light, sharp, shape: frame.width > frame.height ? 'wide' : 'tall' }
}

/** RGBA bytes of a canvas as grey, by the weights of ITU-R BT.601. */
export const greyOf = (rgba: Uint8ClampedArray, width: number, height: number): GreyFrame => {
  const pixels = new Uint8Array(width * height)
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = (rgba[at * 4]! * 299 + rgba[at * 4 + 1]! * 587 + rgba[at * 4 + 2]! * 114) / 1000
  return { width, height, pixels }
}
