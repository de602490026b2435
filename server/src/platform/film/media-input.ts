import type { Writable } from 'node:stream'
import type { FilmChild } from './film-children.ts'

/** The only containers a decoder opens; `concat` is the list that names the one address to read. */
const containers = 'concat,mov,matroska,webm,ogg,wav'

/** The only decoders that run: what browsers, phones and cameras write. */
const codecs = [
  ...['h264', 'hevc', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1', 'mpeg4', 'mjpeg'],
  ...['opus', 'libopus', 'vorbis', 'libvorbis', 'aac', 'mp3', 'mp3float', 'flac'],
  ...['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le'],
].join(',')

/** 8192 × 4320; two threads, since each holds pictures of its own. */
const picture = ['-max_pixels', '35389440', '-threads', '2']

/** What a decoder may take, as far as the system can hold it to that. */
export const decoderLimits = (seconds: number): { readonly cpuSeconds: number; readonly memoryMiB: number } => ({
  // A second of a large recording takes less than two of a processor; a hostile one could take for ever.
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
  ...['-safe', '0', '-f', 'concat', '-i', `pipe:${descriptor}`],
]

/** Tells a child the address of its input. */
export const sendAddress = (child: FilmChild, descriptor: number, url: string): void => {
  const pipe = child.pipes[descriptor] as Writable | null | undefined
  pipe?.end(`ffconcat version 1.0\nfile '${url}'\n`)
}

/** Kills a child that gives nothing for so long; a hostile recording must not hold a render for ever. */
const longestSilenceMs = 60_000

export const withPatience = async <T>(child: FilmChild, work: Promise<T>): Promise<T> => {
  const timer = setTimeout(() => child.kill(), longestSilenceMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
