/** A picture that is held, or a recording that plays, from a moment of the film on. */
export interface FilmItem {
  readonly kind: 'still' | 'clip'
  /** Milliseconds after the film's beginning. */
  readonly atMs: number
  /** When it stops being shown at the latest: the next item, the end of a hold, the end of a recording. */
  readonly untilMs: number
  readonly contentType: string
  /** Plain bytes. */
  readonly sizeBytes: number
  /** The plain bytes, or a range of them (`end` is one past the last). May be asked for more than once. */
  read(range?: { start: number; end: number }): AsyncIterable<Uint8Array>
}

export interface FilmSound {
  readonly atMs: number
  readonly durationMs: number
  readonly contentType: string
  readonly sizeBytes: number
  read(range?: { start: number; end: number }): AsyncIterable<Uint8Array>
}

/** Words for a span of time: an event under the picture, or why there is no picture. */
export interface FilmText {
  readonly fromMs: number
  readonly toMs: number
  readonly text: string
}

/**
 * What a film shows. Every list is ordered by time. Where a track has neither an item nor a gap text, its card says
 * `emptyText`; nothing is ever just black.
 */
export interface FilmPlan {
  readonly durationMs: number
  /** Wall clock of the film's first moment, epoch milliseconds; the clock in the picture runs from here, in UTC. */
  readonly startsAt: number
  readonly screen: readonly FilmItem[]
  readonly screenGaps: readonly FilmText[]
  readonly corner: readonly FilmItem[]
  readonly cornerGaps: readonly FilmText[]
  readonly sound: readonly FilmSound[]
  readonly captions: readonly FilmText[]
  readonly emptyText: { readonly screen: string; readonly corner: string }
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
  /** Items that could not be decoded, or not to their end: a card, or silence, stands in their place. */
  readonly undecoded?: readonly { readonly kind: 'still' | 'clip' | 'sound'; readonly atMs: number }[]
  read(): AsyncIterable<Uint8Array>
  discard(): Promise<void>
}
