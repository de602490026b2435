import type { Beat, ConfirmedStep, Pairing, Picture } from './session.types.ts'

interface Queued {
  /** The phone's own id of the item: a second sending is not a second item. */
  readonly clientId: string
  readonly sessionId: string
  /** When it was captured, epoch milliseconds by the server's clock. */
  readonly at: number
}
export interface QueuedBeat extends Queued {
  readonly kind: 'beat'
  readonly beat: Omit<Beat, 'clientId' | 'at'>
}
export interface QueuedPlacement extends Queued {
  readonly kind: 'placement'
  readonly steps: readonly ConfirmedStep[]
  readonly photo: Picture
}
export interface QueuedClip extends Queued {
  readonly kind: 'clip'
  readonly contentType: string
  readonly durationMs: number
  readonly bytes: ArrayBuffer
  /** A small picture of its beginning: WebP in base64. */
  readonly small?: string
}
export type QueuedItem = QueuedBeat | QueuedPlacement | QueuedClip
/** A film that is being written; `endFilm` makes it a clip. */
export interface Film extends Queued {
  readonly contentType: string
  readonly small?: string
}

/** Beats are small and must not wait behind films, so each kind has a lane of its own. */
export type QueueLane = 'beats' | 'files'

export interface QueueCounts {
  readonly beats: number
  readonly files: number
  /** Clips that were left out because the space for waiting ones was full. */
  readonly dropped: number
}

/** What must survive a reload, a lock of the phone and a crash. */
export interface Memory {
  readonly pairing?: Pairing
  /** The claim that is under way: its answer may have been lost. */
  readonly claiming?: { readonly code: string; readonly key: string; readonly locale?: string }
}

/** The phone's storage has no room. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

/**
 * The durable queue. `put` and `addChunk` resolve when the item is stored, and throw `StorageFull` when it cannot be.
 * Everything comes out in the order it went in.
 */
export interface QueuePort {
  /** The same `clientId` again changes nothing. */
  put(item: QueuedItem): Promise<void>
  oldest(lane: QueueLane, limit: number): Promise<QueuedItem[]>
  settle(items: readonly QueuedItem[]): Promise<void>
  counts(): Promise<QueueCounts>
  beginFilm(film: Film): Promise<void>
  /** A small picture of the film's beginning, WebP in base64, for its clip. */
  addSmall(filmId: string, small: string): Promise<void>
  addChunk(filmId: string, bytes: ArrayBuffer, durationMs: number): Promise<void>
  /** Makes a clip of what has been written; a film without a chunk leaves nothing. */
  endFilm(filmId: string): Promise<void>
  /** Films that were being written when the app went away become clips. */
  recover(): Promise<void>
  recall(): Promise<Memory>
  remember(memory: Memory): Promise<void>
  /** Everything, for good: nothing of a session may stay on a phone that has left it. */
  clear(): Promise<void>
}
