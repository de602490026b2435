import sharp, { type Sharp } from 'sharp'

// Each picture is another one: a cache of operations only holds memory, and one picture at a time needs no threads.
sharp.cache(false)
sharp.concurrency(1)

/** Compression effort of WebP, 0 to 6: one more doubles the time for 3 % fewer bytes, one less saves a fifth of it for 17 % more. */
export const webpEffort = 2

/** How long a lane of stills looks at nothing, at most: well within the time after which it counts as down. */
const longestLookMs = 10_000

/** How often a frame is looked at: a whole part of the interval of stills, so that each still falls on a look. */
export const lookIntervalMs = (stillIntervalMs: number): number =>
  stillIntervalMs / Math.ceil(stillIntervalMs / longestLookMs)

/** What a small picture may be at the most. */
export const smallPicture = { maxSide: 160, maxBytes: 4096 } as const
/** Coarser ones follow where a picture stays too large. */
const smallQualities = [60, 30, 10] as const

/** Makes it coarser until it is small enough; undefined where it never is, or cannot be made: the still is what counts. */
export const smallEnough = async (encode: (quality: number) => Promise<Buffer>): Promise<Buffer | undefined> => {
  try {
    for (const quality of smallQualities) {
      const bytes = await encode(quality)
      if (bytes.length <= smallPicture.maxBytes) return bytes
    }
  } catch {
    // The service makes one where it is looked at.
  }
  return undefined
}

/** A picture for whoever looks through many: WebP, at most 160 pixels a side and 4 kB. */
export const smallOf = (image: Sharp): Promise<Buffer | undefined> => {
  const { maxSide } = smallPicture
  const small = image.clone().resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
  return smallEnough((quality) => small.clone().webp({ quality, effort: webpEffort }).toBuffer())
}

export { sharp }
