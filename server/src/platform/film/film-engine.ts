import type { Clock } from '../clock.ts'
import type { FfmpegProgram, FilmOptions, FilmPlan, RenderedFilm } from './film.types.ts'
import { renderInProcess } from './film-process.ts'
import { findFfmpeg } from './find-ffmpeg.ts'

/** Makes films with a program that may not be there. */
export interface FilmEngine {
  /** Looks for the program; undefined where there is none. */
  find(): Promise<FfmpegProgram | undefined>
  render(plan: FilmPlan, options: FilmOptions): Promise<RenderedFilm>
}

/** Looking for it starts programs; a film names its version, so it may not be out of date for long. Milliseconds. */
const rememberedMs = 60_000

/** Renders with ffmpeg. One that was missing may be installed any time, so only one that was found is remembered. */
export const createFilmEngine = (
  { ffmpegPath }: { readonly ffmpegPath: string | undefined },
  clock: Clock,
): FilmEngine => {
  let found: { readonly program: FfmpegProgram; readonly until: number } | undefined
  return {
    find: async () => {
      if (found && clock.now() < found.until) return found.program
      const program = await findFfmpeg({ ...(ffmpegPath !== undefined && { configured: ffmpegPath }) })
      found = program && { program, until: clock.now() + rememberedMs }
      return program
    },
    render: renderInProcess,
  }
}
