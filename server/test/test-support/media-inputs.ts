import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { FilmPlan } from '../../src/platform/film/film.types.ts'
import type { Rectangle } from '../../src/platform/film/pictures.ts'
import { ffmpeg, type WatchedFilm, watchFilm } from './film-fixtures.ts'

const run = promisify(execFile)

export const mediaInput = (name: string): Promise<Buffer> =>
  readFile(new URL(`../media-inputs/${name}`, import.meta.url))

export type Colour = 'red' | 'green' | 'blue' | 'white' | 'black' | 'card' | 'other'

/** Of what is drawn in one colour; a card's ground is a light grey of its own. */
export const colourOf = ([r, g, b]: readonly [number, number, number]): Colour => {
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)]
  if (high - low < 20) {
    if (low > 247) return 'white'
    if (low > 228) return 'card'
    return high < 60 ? 'black' : 'other'
  }
  if (r > 150 && high === r && g < 120 && b < 120) return 'red'
  if (b > 150 && high === b && r < 120) return 'blue'
  return high === g && r < 140 && b < 140 ? 'green' : 'other'
}

/** Where a film of one frame a second is looked at: a pixel of each of its places, where no words of a card are. */
export interface Looked {
  readonly film: WatchedFilm
  /** The colour at a pixel in each frame. */
  readonly at: (x: number, y: number) => Colour[]
  /** How light the pixels of a part are in each frame. */
  readonly grey: (part: Rectangle) => Uint8Array[]
}

/** Renders a film and takes its pictures out of it at a rate, all at once. */
export const lookAt = async (
  plan: FilmPlan,
  directory: string,
  {
    width,
    height,
    framesPerSecond,
  }: { readonly width: number; readonly height: number; readonly framesPerSecond: number },
): Promise<Looked> => {
  const film = await watchFilm(plan, directory, { frame: { width, height, framesPerSecond } })
  const args = ['-v', 'error', '-i', film.path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const { stdout } = await run(ffmpeg?.path ?? 'ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 30 })
  const size = width * height * 3
  const frames = Array.from({ length: Math.floor(stdout.length / size) }, (_, n) => stdout.subarray(n * size))
  return {
    film,
    at: (x, y) =>
      frames.map((frame) => {
        const place = (y * width + x) * 3
        return colourOf([frame[place] ?? 0, frame[place + 1] ?? 0, frame[place + 2] ?? 0])
      }),
    grey: (part) =>
      frames.map((frame) =>
        Uint8Array.from({ length: part.width * part.height }, (_, n) => {
          const [x, y] = [part.x + (n % part.width), part.y + Math.floor(n / part.width)]
          const place = (y * width + x) * 3
          return ((frame[place] ?? 0) + (frame[place + 1] ?? 0) + (frame[place + 2] ?? 0)) / 3
        }),
      ),
  }
}
