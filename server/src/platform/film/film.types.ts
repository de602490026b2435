/** One object of what was captured: a picture that is held, or a recording or a sound that plays. */
interface FilmSource {
  /** Names it in `undecoded`. */
  readonly id: string
  /**
   * When it was captured, milliseconds after the film's beginning, before which it may lie: the first frame or sample of a
   * recording is there. What is shown of it later is what it holds for that moment.
   */
  readonly beginsMs: number
  /** From when on it is shown or heard. */
  readonly atMs: number
  /** When that ends at the latest. */
  readonly untilMs: number
  /** Until when it says that it lasts; beyond that only what it really holds is shown. */
  readonly toldUntilMs: number
  readonly contentType: string
  /** Plain bytes. */
  readonly sizeBytes: number
  /** The plain bytes, or a range of them (`end` is one past the last). May be asked for more than once. */
  read(range?: { start: number; end: number }): AsyncIterable<Uint8Array>
}

export interface FilmItem extends FilmSource {
  readonly kind: 'still' | 'clip'
  /** Said in the picture while this is shown. */
  readonly label?: string
}

/** Sounds do not overlap. */
export type FilmSound = FilmSource

/** Words for a span of time: an event under the picture, or why there is no picture. */
export interface FilmText {
  readonly fromMs: number
  readonly toMs: number
  readonly text: string
}

/** A part of the frame that belongs to one source. */
export interface FilmPlace {
  /** Said in the picture all the time; empty for a place that needs none. */
  readonly name: string
  /**
   * In layers: where several cover a moment the last of the list is shown, or, while it has no picture, the one before it.
   * So a recording that breaks off hides nothing, and one that was covered comes back where it would be by then.
   */
  readonly items: readonly FilmItem[]
  /** What its card says where no item has a picture, ordered by time. */
  readonly texts: readonly FilmText[]
  /** What it says where no text is either; nothing is ever just black. */
  readonly emptyText: string
}

/** What a film shows. Lists without another order are ordered by time. */
export interface FilmPlan {
  readonly durationMs: number
  /** Wall clock of the film's first moment, epoch milliseconds; the clock in the picture runs from here, in UTC. */
  readonly startsAt: number
  readonly screen: FilmPlace
  /** Over the screen, from below to above; at most `mostInsets`. */
  readonly insets: readonly FilmPlace[]
  readonly sound: readonly FilmSound[]
  readonly captions: readonly FilmText[]
  /** What players list; each lasts until the next. */
  readonly chapters: readonly { readonly atMs: number; readonly title: string }[]
  /** Words of the interview, for the player's own subtitles. */
  readonly subtitles: readonly FilmText[]
}

export interface FilmOptions {
  readonly ffmpeg: FfmpegProgram
  /** A private directory for temporary files, which hold no plain bytes and are gone when this is over, however it ends. */
  readonly tempDir: string
  readonly signal: AbortSignal
  /** 0 to 1; called at most a few times a second. */
  readonly onProgress: (progress: number) => void
  /** Defaults: 1280 × 720 at 10 frames a second. */
  readonly frame?: { readonly width: number; readonly height: number; readonly framesPerSecond: number }
  /** By the clock on the wall; default: a quarter of an hour and the length of the film. */
  readonly deadlineMs?: number
}

export interface Undecoded {
  readonly id: string
  readonly kind: 'still' | 'clip' | 'sound'
  /** When it would have been shown or heard, milliseconds after the film's beginning. */
  readonly atMs: number
  /** What decoded it was ended before it was done: it may well be decodable another time. */
  readonly wasKilled?: true
}

export interface FfmpegProgram {
  readonly path: string
  /** The first line of `ffmpeg -version`, without the copyright. */
  readonly version: string
}

/** A rendered film, waiting encrypted in a temporary file. Call `discard` when done with it. */
export interface RenderedFilm {
  readonly sizeBytes: number
  readonly durationMs: number
  readonly width: number
  readonly height: number
  /** Arguments of the encoder, joined as for a shell; no path of this machine, no secret. */
  readonly command: string
  /** Items that could not be decoded, or not to their end, each once; words stand in their place. Ordered by time. */
  readonly undecoded: readonly Undecoded[]
  read(): AsyncIterable<Uint8Array>
  discard(): Promise<void>
}
