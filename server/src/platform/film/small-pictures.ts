import type { Readable } from 'node:stream'
import sharp from 'sharp'
import { maxPixels, withEndMark } from '../content/content-check.ts'
import { DecoderKilled } from './decoder-killed.ts'
import type { FilmChildren } from './film-children.ts'
import { type ByteSource, isSelfContained, readHead } from './item-bytes.ts'
import type { ItemServer } from './item-server.ts'
import { decoderLimits, inputArguments, sendAddress, withPatience } from './media-input.ts'
import { isStill, readAll } from './still-pictures.ts'

export interface SmallLimits {
  /** The longer side, pixels. */
  readonly side: number
  readonly bytes: number
}

/** Coarser ones follow where a picture stays too large. */
const qualities = [60, 30, 10, 1] as const
/** The first frame of a clip, made small; no small picture without compression is larger. */
const mostFrameBytes = 1 << 20
const firstFrameSeconds = 1
/** What a shell answers for a program that it cannot run: that says nothing of the clip. */
const notStarted = new Set([126, 127])

const encoded = async (picture: Buffer, { side, bytes: most }: SmallLimits): Promise<Buffer | undefined> => {
  const { data, info } = await sharp(picture, {
    failOn: 'error',
    limitInputPixels: maxPixels,
    sequentialRead: true,
    autoOrient: true,
  })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  for (const quality of qualities) {
    const bytes = await sharp(data, { raw: { width, height, channels } }).webp({ quality, effort: 2 }).toBuffer()
    if (bytes.length <= most) return bytes
  }
  return undefined
}

/** A still as a small WebP; undefined where it cannot be decoded. Rejects with what `item.read` rejects with. */
export const smallOfStill = async (item: ByteSource, limits: SmallLimits): Promise<Buffer | undefined> => {
  const bytes = await readAll(item)
  if (!isStill(bytes)) return undefined
  return encoded(withEndMark(bytes), limits).catch(() => undefined)
}

/** The first frame of a clip as a small WebP; undefined where it cannot be decoded. Throws `DecoderKilled`. */
export const smallOfClip = async (
  item: ByteSource,
  limits: SmallLimits,
  { children, server }: { readonly children: FilmChildren; readonly server: ItemServer },
): Promise<Buffer | undefined> => {
  if (!isSelfContained(await readHead(item, 12))) return undefined
  const { side } = limits
  const scale = `scale=iw*sar:ih,scale=${side}:${side}:force_original_aspect_ratio=decrease`
  const output = ['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-c:v', 'png', '-f', 'image2pipe', 'pipe:1']
  const offer = server.offer(item)
  const child = children.start([...inputArguments(0), ...output], { limits: decoderLimits(firstFrameSeconds) })
  try {
    sendAddress(child, 0, offer.url)
    const pieces: Buffer[] = []
    let size = 0
    const read = async () => {
      for await (const piece of child.pipes[1] as Readable) {
        size += (piece as Buffer).length
        if (size > mostFrameBytes) return
        pieces.push(piece as Buffer)
      }
    }
    await withPatience(child, read()).catch(() => undefined)
    if (size <= mostFrameBytes) {
      const { code, wasKilled } = await child.ended
      if (wasKilled) throw new DecoderKilled()
      if (size === 0 && notStarted.has(code ?? 0)) throw new Error('ffmpeg could not be started')
    }
    return await encoded(Buffer.concat(pieces), limits).catch(() => undefined)
  } finally {
    offer.withdraw()
    child.kill()
    await child.ended
  }
}
