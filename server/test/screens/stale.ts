import { readdirSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'

/** Of its pixels, at a quarter of its size. Numbers, hours and codes differ each time; a text or a colour that changed is more. */
const tolerance = 0.006

/** Of 255, by which a pixel has to be lighter or darker to count. */
const step = 40

const picturesIn = (folder: string): string[] => readdirSync(folder).filter((file) => file.endsWith('.webp'))

const greyOf = async (file: string, [width, height]: readonly [number, number]): Promise<Buffer> =>
  sharp(file).resize(width, height, { fit: 'fill' }).greyscale().raw().toBuffer()

/** The share of pixels that differ; 1 where the sizes do by more than a line of text. */
export const difference = async (one: string, other: string): Promise<number> => {
  const [a, b] = [await sharp(one).metadata(), await sharp(other).metadata()]
  if (a.width !== b.width || Math.abs(a.height - b.height) > 30) return 1
  const size = [Math.ceil(a.width / 4), Math.ceil(a.height / 4)] as const
  const [left, right] = [await greyOf(one, size), await greyOf(other, size)]
  const differing = left.reduce((sum, grey, at) => sum + (Math.abs(grey - (right[at] ?? 0)) > step ? 1 : 0), 0)
  return differing / left.length
}

/**
 * The names of pictures in `kept` that do not look as in `fresh` any more, or that only one of the two has.
 * `shoots`: of which only those are looked at.
 */
export const stalePictures = async (kept: string, fresh: string, shoots: readonly string[]): Promise<string[]> => {
  const belongs = (file: string) => shoots.some((name) => file.startsWith(`${name}-`))
  const [old, now] = [picturesIn(kept).filter(belongs), new Set(picturesIn(fresh))]
  const stale = old.filter((file) => !now.has(file))
  stale.push(...[...now].filter((file) => !old.includes(file)))
  for (const file of old.filter((name) => now.has(name)))
    if ((await difference(path.join(kept, file), path.join(fresh, file))) > tolerance) stale.push(file)
  return stale.sort()
}
