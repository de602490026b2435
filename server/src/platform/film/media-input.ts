import type { Writable } from 'node:stream'
import type { FilmChild } from './film-children.ts'

/** The only containers a decoder opens; `concat` is the list that names the one address to read. */
const containers = 'concat,mov,matroska,webm,ogg,wav'

/**
 * ffmpeg's arguments for an input whose address comes through a descriptor. Nothing but the loopback address can be
 * opened: no file, no play list, no picture larger than 64 megapixels.
 */
export const inputArguments = (descriptor: number): string[] => [
  ...['-protocol_whitelist', 'pipe,http,tcp', '-format_whitelist', containers, '-max_pixels', '67108864'],
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
