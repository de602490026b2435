import type { Config } from '../../app/config.ts'
import type { FilmEngine } from '../../kernel/parts.ts'
import type { Clock } from '../clock.ts'
import type { FfmpegProgram } from './film.types.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { renderFilm } from './render-film.ts'

/** Looking for it starts programs; a film names its version, so it may not be out of date for long. Milliseconds. */
const rememberedMs = 60_000

/** Renders with ffmpeg. One that was missing may be installed any time, so only one that was found is remembered. */
export const createFilmEngine = ({ ffmpegPath }: Pick<Config, 'ffmpegPath'>, clock: Clock): FilmEngine => {
  let found: { readonly program: FfmpegProgram; readonly until: number } | undefined
  return {
    find: async () => {
      if (found && clock.now() < found.until) return found.program
      const program = await findFfmpeg({ ...(ffmpegPath !== undefined && { configured: ffmpegPath }) })
      found = program && { program, until: clock.now() + rememberedMs }
      return program
    },
    render: renderFilm,
  }
}
