/** A range of the bytes; shorter where they end. */
export type ReadRange = (start: number, length: number) => Promise<Buffer>

export interface Recording {
  readonly read: ReadRange
  readonly sizeBytes: number
}

export interface Track {
  readonly kind: 'picture' | 'sound'
  /** As ffmpeg names its decoder; as the container names it where nobody here knows it. */
  readonly codec: string
}

/** What the container of a recording says without anything being decoded. */
export interface Media {
  readonly tracks: readonly Track[]
  /** Null where the container does not say. */
  readonly durationMs: number | null
  /** False where what a decoder needs before anything else is not there, and nothing behind it could be. */
  readonly readable: boolean
}

/** A container that was not understood: nothing is known, and nothing held against it. */
export const unknownMedia: Media = { tracks: [], durationMs: null, readable: true }
