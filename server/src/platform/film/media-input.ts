import type { Writable } from 'node:stream'
import type { ChildEnd, FilmChild } from './film-children.ts'
import { decodableContainers, pictureCodecs, soundCodecs } from './media-codecs.ts'

/** `concat` is the list that names the one address to read. */
const containers = ['concat', ...decodableContainers].join(',')
const codecs = [...pictureCodecs, ...soundCodecs].join(',')

/** 8192 × 4320; two threads, since each holds pictures of its own. */
const picture = ['-max_pixels', '35389440', '-threads', '2']

/** What a decoder may take, as far as the system can hold it to that. */
export const decoderLimits = (seconds: number): { readonly cpuSeconds: number; readonly memoryMiB: number } => ({
  // A second of a large recording takes less than two of a processor; a hostile one could take forever.
  cpuSeconds: Math.ceil(30 + 4 * seconds),
  memoryMiB: 2048,
})

/**
 * ffmpeg's arguments for an input whose address comes through a descriptor. Nothing but the loopback address can be
 * opened: no file, no play list, no codec but the listed ones, no picture
 * larger than 35 megapixels.
 */
export const inputArguments = (descriptor: number): string[] => [
  ...['-protocol_whitelist', 'pipe,http,tcp', '-format_whitelist', containers],
  ...['-codec_whitelist', codecs, ...picture],
  // Decoders that know sums of their frames look at them.
  ...['-err_detect', 'crccheck'],
  ...['-safe', '0', '-f', 'concat', '-i', `pipe:${descriptor}`],
]

/** Tells a child the address of its input. */
export const sendAddress = (child: FilmChild, descriptor: number, url: string): void => {
  const pipe = child.pipes[descriptor] as Writable | null | undefined
  pipe?.end(`ffconcat version 1.0\nfile '${url}'\n`)
}

/** Kills a child that gives nothing for so long; a hostile recording must not hold a render forever. */
const longestSilenceMs = 60_000

export const withPatience = async <T>(child: FilmChild, work: Promise<T>): Promise<T> => {
  const timer = setTimeout(() => child.giveUp(), longestSilenceMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** What ffmpeg says of a file that was cut, though it ends as if all were well. */
const cutShort = /ended prematurely|partial file|moov atom not found|truncated/i

/** Whether a decoder came to the end of a whole recording. */
export const endedAsItShould = ({ code, stderr }: ChildEnd): boolean => code === 0 && !cutShort.test(stderr)

/**
 * What ffmpeg says of bytes in the middle that it understands nothing of: its containers, its decoders, itself. It goes on,
 * with silence in their place, or with a picture that it guessed.
 */
const spoiled = new RegExp(
  [
    ...['invalid as first byte', 'exceeds containing master', 'exceeds max length', 'Truncating packet', 'corrupt'],
    ...['CRC (mismatch|error)', 'Overread', 'Header missing', 'Invalid NAL unit size', 'while decoding MB'],
    ...['Invalid data found', 'Error while decoding stream', 'Error submitting packet'],
  ].join('|'),
  'i',
)

/** Whether a decoder has met such bytes, by what it said. */
export const metSpoiledBytes = (stderr: string): boolean => spoiled.test(stderr)
