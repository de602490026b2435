import type {
  FfmpegProgram,
  FilmItem,
  FilmOptions,
  FilmPlace,
  FilmPlan,
  FilmSound,
  RenderedFilm,
} from './film.types.ts'
import type { FilmErrorCode } from './film-error.ts'

/** An item whose bytes are read from an address. */
type Remote<T extends FilmItem | FilmSound> = Omit<T, 'read'> & { readonly url: string }

type RemotePlace = Omit<FilmPlace, 'items'> & { readonly items: readonly Remote<FilmItem>[] }

/** A plan as it crosses to the process that renders it. */
export type RemotePlan = Omit<FilmPlan, 'screen' | 'insets' | 'sound'> & {
  readonly screen: RemotePlace
  readonly insets: readonly RemotePlace[]
  readonly sound: readonly Remote<FilmSound>[]
}

/** The first message renders, `send` gives the film through standard output and ends the process. */
export type ToFilmProcess =
  | {
      readonly kind: 'render'
      readonly plan: RemotePlan
      readonly ffmpeg: FfmpegProgram
      readonly tempDir: string
      readonly frame: FilmOptions['frame']
    }
  | { readonly kind: 'send' }

export type FromFilmProcess =
  | { readonly kind: 'progress'; readonly progress: number }
  | { readonly kind: 'made'; readonly film: Omit<RenderedFilm, 'read' | 'discard'> }
  | { readonly kind: 'failed'; readonly code: FilmErrorCode | null; readonly message: string }
