import type { Readable } from 'node:stream'
import { ByteReader } from './byte-reader.ts'
import type { FilmSound } from './film.types.ts'
import type { FilmChild, FilmChildren } from './film-children.ts'
import { isSelfContained, rangedBytes, readHead } from './item-bytes.ts'
import type { ItemServer } from './item-server.ts'
import { soundRate } from './matroska-stream.ts'
import {
  decoderLimits,
  endedAsItShould,
  inputArguments,
  metSpoiledBytes,
  sendAddress,
  withPatience,
} from './media-input.ts'
import { heardOf, pairBytes } from './sound-mix.ts'
import { type Loss, unsaidLoss } from './unsaid-loss.ts'

/** A part of a sound, in samples after its beginning. */
export interface SoundPart {
  readonly sound: FilmSound
  readonly skip: number
  readonly samples: number
}

/** Sound as s16le mono samples at 48 kHz, read from the beginning of its part on. */
export interface SoundSource {
  /** The next samples; fewer than asked for at the end. */
  read(samples: number): Promise<Buffer>
  /** Whether it broke off before the end of its part, or has spoiled bytes. To be asked after its last sample. */
  isBroken(): Promise<boolean>
  /** Whether it has bytes that nothing could be made of, as far as it was read: silence is in their place. */
  isSpoiled(): boolean
  /** Whether its decoder was ended from outside. To be asked after its last sample. */
  wasKilled(): Promise<boolean>
  /** Whether it lacks bytes of which no decoder says anything. */
  readonly isShort: boolean
  close(): Promise<void>
}
export interface SoundDecoderOptions {
  readonly children: FilmChildren
  readonly server: ItemServer
}

const secondsOf = (samples: number): string => (samples / soundRate).toFixed(6)

/** Holes within a recording become silence, so that what follows keeps its time. */
const atRate = `aresample=${soundRate}:async=1:first_pts=0,aformat=sample_fmts=s16:sample_rates=${soundRate}:channel_layouts=mono`

/** Two channels: all of the recording's as one, and its first alone, for where all of them cancel each other. */
const outputArguments = (input: number, { skip, samples }: SoundPart, descriptor: number): string[] => {
  const both = `asplit[a][b];[a]${atRate}[all];[b]pan=mono|c0=c0,${atRate}[first];[all][first]amerge=inputs=2`
  const filter = skip > 0 ? `${both},atrim=start_sample=${skip},asetpts=PTS-STARTPTS` : both
  return ['-map', `${input}:a:0`, '-t', secondsOf(samples), '-af', filter, '-f', 's16le', `pipe:${descriptor}`]
}

const limitsOf = (parts: readonly SoundPart[]) =>
  decoderLimits(parts.reduce((total, { skip, samples }) => total + skip + samples, 0) / soundRate)

/** What it lost that its decoder does not say. Undefined for what is no recording. */
const lookAt = async (sound: FilmSound): Promise<{ readonly loss: Loss | undefined } | undefined> => {
  if (!isSelfContained(await readHead(sound, 12))) return undefined
  return { loss: await unsaidLoss(rangedBytes(sound)) }
}

/** Decodes a long sound while it is read. Undefined for what is no recording. */
export const streamSound = async (part: SoundPart, options: SoundDecoderOptions): Promise<SoundSource | undefined> => {
  const looked = await lookAt(part.sound)
  if (!looked) return undefined
  const { loss } = looked
  const offer = options.server.offer(part.sound)
  const child = options.children.start([...inputArguments(0), ...outputArguments(0, part, 1)], {
    limits: limitsOf([part]),
  })
  sendAddress(child, 0, offer.url)
  const reader = new ByteReader(child.pipes[1] as Readable)
  return {
    read: async (samples) => {
      const pairs = Buffer.allocUnsafeSlow(samples * pairBytes)
      return heardOf(pairs.subarray(0, await withPatience(child, reader.fill(pairs))))
    },
    isBroken: async () => loss !== undefined || !endedAsItShould(await child.ended) || metSpoiledBytes(child.said()),
    isSpoiled: () => loss === 'inside' || metSpoiledBytes(child.said()),
    wasKilled: async () => (await child.ended).wasKilled,
    isShort: loss !== undefined,
    close: async () => {
      child.kill()
      offer.withdraw()
      await child.ended
    },
  }
}

const drain = async (child: FilmChild, descriptor: number, { samples }: SoundPart): Promise<Buffer> => {
  const pipe = child.pipes[descriptor] as Readable
  const reader = new ByteReader(pipe)
  const heard: Buffer[] = []
  const pairs = Buffer.allocUnsafeSlow(Math.min(samples, soundRate) * pairBytes)
  for (let left = samples; left > 0; ) {
    const wanted = Math.min(left, soundRate) * pairBytes
    const filled = await reader.fill(pairs.subarray(0, wanted))
    heard.push(Buffer.from(heardOf(pairs.subarray(0, filled))))
    left -= filled / pairBytes
    if (filled < wanted) break
  }
  // What comes beyond its part is not wanted, but has to be taken.
  pipe.resume()
  return Buffer.concat(heard)
}

/** What one decoder made of several sounds, whether it came to the end of them all, and whether it met spoiled bytes. */
interface Decoded {
  readonly pcm: readonly Buffer[]
  readonly isWhole: boolean
  readonly isSpoiled: boolean
  readonly wasKilled: boolean
}

/** One child for several sounds: each starts in a tenth of a second, which is much for sounds of ten. */
const decodeTogether = async (parts: readonly SoundPart[], options: SoundDecoderOptions): Promise<Decoded> => {
  const offers = parts.map(({ sound }) => options.server.offer(sound))
  const inputs = offers.flatMap((_, index) => inputArguments(3 + index))
  const outputs = parts.flatMap((part, index) => outputArguments(index, part, 3 + parts.length + index))
  const child = options.children.start([...inputs, ...outputs], {
    extraPipes: parts.length * 2,
    limits: limitsOf(parts),
  })
  for (const [index, { url }] of offers.entries()) sendAddress(child, 3 + index, url)
  const drained = Promise.all(parts.map((part, index) => drain(child, 3 + parts.length + index, part)))
  const pcm = await withPatience(child, drained)
  const end = await child.ended
  for (const offer of offers) offer.withdraw()
  return { pcm, isWhole: endedAsItShould(end), isSpoiled: metSpoiledBytes(end.stderr), wasKilled: end.wasKilled }
}

const fromMemory = (pcm: Buffer, { isWhole, isSpoiled, wasKilled }: Decoded, loss: Loss | undefined): SoundSource => {
  let at = 0
  return {
    read: (samples) => {
      const piece = pcm.subarray(at, at + samples * 2)
      at += piece.length
      return Promise.resolve(piece)
    },
    isBroken: () => Promise.resolve(!isWhole || isSpoiled || loss !== undefined),
    isSpoiled: () => isSpoiled || loss === 'inside',
    wasKilled: () => Promise.resolve(wasKilled),
    isShort: loss !== undefined,
    close: () => Promise.resolve(),
  }
}

/**
 * Decodes short sounds into memory, a group at a time. When one of a group is broken or spoiled, ffmpeg refuses them all or
 * does not say which, and each is decoded for itself. Undefined stands for what is no recording.
 */
export const decodeSounds = async (
  parts: readonly SoundPart[],
  options: SoundDecoderOptions,
): Promise<(SoundSource | undefined)[]> => {
  const looked = await Promise.all(parts.map(({ sound }) => lookAt(sound)))
  const losses = new Map(parts.map((part, index) => [part, looked[index]?.loss]))
  const likely = parts.filter((_, index) => looked[index] !== undefined)
  if (likely.length === 0) return parts.map(() => undefined)
  const sources = new Map<SoundPart, SoundSource>()
  const together = await decodeTogether(likely, options)
  const isFine = together.isWhole && !together.isSpoiled
  for (const [index, part] of likely.entries()) {
    // One of whose decoder was ended from outside is decoded once more, however many there were.
    const isDone = isFine || (likely.length === 1 && !together.wasKilled)
    const alone = isDone ? together : await decodeTogether([part], options)
    const pcm = alone === together ? together.pcm[index] : alone.pcm[0]
    sources.set(part, fromMemory(pcm ?? Buffer.alloc(0), alone, losses.get(part)))
  }
  return parts.map((part) => sources.get(part))
}
