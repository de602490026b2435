import type { Readable } from 'node:stream'
import { ByteReader } from './byte-reader.ts'
import type { FilmSound } from './film.types.ts'
import type { FilmChild, FilmChildren } from './film-children.ts'
import { isSelfContained, readHead } from './item-bytes.ts'
import type { ItemServer } from './item-server.ts'
import { soundRate } from './matroska-stream.ts'
import { decoderLimits, inputArguments, sendAddress, withPatience } from './media-input.ts'

/** Sound as s16le mono samples at 48 kHz, read from its beginning on. */
export interface SoundSource {
  /** The next samples; fewer than asked for at the end. */
  read(samples: number): Promise<Buffer>
  close(): Promise<void>
}
export interface SoundDecoderOptions {
  readonly children: FilmChildren
  readonly server: ItemServer
}

const soundBytes = (sound: FilmSound): number => Math.round((sound.durationMs * soundRate) / 1000) * 2

/** Holes within a recording become silence, so that what follows keeps its time. */
const outputArguments = (input: number, sound: FilmSound, descriptor: number): string[] => [
  ...['-map', `${input}:a:0`, '-t', (sound.durationMs / 1000).toFixed(3), '-af', 'aresample=async=1:first_pts=0'],
  ...['-ac', '1', '-ar', String(soundRate), '-f', 's16le', `pipe:${descriptor}`],
]

/** Decodes a long sound while it is read. */
export const streamSound = async (sound: FilmSound, options: SoundDecoderOptions): Promise<SoundSource | undefined> => {
  if (!isSelfContained(await readHead(sound, 12))) return undefined
  const offer = options.server.offer(sound)
  const limits = decoderLimits(sound.durationMs / 1000)
  const child = options.children.start([...inputArguments(0), ...outputArguments(0, sound, 1)], { limits })
  sendAddress(child, 0, offer.url)
  const reader = new ByteReader(child.pipes[1] as Readable)
  return {
    read: async (samples) => {
      const piece = Buffer.allocUnsafe(samples * 2)
      return piece.subarray(0, await withPatience(child, reader.fill(piece)))
    },
    close: async () => {
      offer.withdraw()
      child.kill()
      await child.ended
    },
  }
}

const drain = async (child: FilmChild, descriptor: number, sound: FilmSound): Promise<Buffer> => {
  const piece = Buffer.allocUnsafe(soundBytes(sound))
  const pipe = child.pipes[descriptor] as Readable
  const filled = await new ByteReader(pipe).fill(piece)
  // What comes beyond its stated length is not wanted, but has to be taken.
  pipe.resume()
  return piece.subarray(0, filled)
}

/** One child for several sounds: each starts in a tenth of a second, which is much for sounds of ten. */
const decodeTogether = async (
  sounds: readonly FilmSound[],
  options: SoundDecoderOptions,
): Promise<Buffer[] | undefined> => {
  const offers = sounds.map((sound) => options.server.offer(sound))
  const inputs = offers.flatMap((_, index) => inputArguments(3 + index))
  const outputs = sounds.flatMap((sound, index) => outputArguments(index, sound, 3 + sounds.length + index))
  const limits = decoderLimits(sounds.reduce((total, { durationMs }) => total + durationMs, 0) / 1000)
  const child = options.children.start([...inputs, ...outputs], { extraPipes: sounds.length * 2, limits })
  for (const [index, { url }] of offers.entries()) sendAddress(child, 3 + index, url)
  const drained = Promise.all(sounds.map((sound, index) => drain(child, 3 + sounds.length + index, sound)))
  const decoded = await withPatience(child, drained)
  const { code } = await child.ended
  for (const offer of offers) offer.withdraw()
  return code === 0 || (sounds.length === 1 && decoded[0]?.length) ? decoded : undefined
}

/**
 * Decodes short sounds into memory, a group at a time. When one of a group is broken, ffmpeg refuses them all, and each
 * is decoded for itself. Undefined stands for one that cannot be decoded.
 */
export const decodeSounds = async (
  sounds: readonly FilmSound[],
  options: SoundDecoderOptions,
): Promise<(Buffer | undefined)[]> => {
  const heads = await Promise.all(sounds.map((sound) => readHead(sound, 12)))
  const likely = sounds.filter((_, index) => isSelfContained(heads[index] as Buffer))
  const decoded = new Map<FilmSound, Buffer | undefined>()
  const together = likely.length > 0 ? await decodeTogether(likely, options) : []
  for (const [index, sound] of likely.entries()) {
    const pcm = together
      ? together[index]
      : likely.length > 1
        ? (await decodeTogether([sound], options))?.[0]
        : undefined
    if (pcm && pcm.length > 0) decoded.set(sound, pcm)
  }
  return sounds.map((sound) => decoded.get(sound))
}
