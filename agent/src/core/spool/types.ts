import type { captureSignature, EventDataOf, LaneName } from '@integrity/protocol'
import type * as z from 'zod'
import type { CapturedItem } from '../capture/types.ts'

export type ItemKind = CapturedItem['kind']

/** The only kinds that may be thinned when the spool is full: a neighbour shows nearly the same. */
export const stillKinds: readonly ItemKind[] = ['screenshot', 'camera_frame']

/** A captured item without its bytes; kept sealed at the head of the item's own file. */
export interface ItemHeader extends Readonly<Omit<CapturedItem, 'bytes' | 'meta' | 'small' | 'levels'>> {
  readonly clientId: string
  /** Counts the items of a lane from 0. */
  readonly sequence: number
  readonly sizeBytes: number
  /** Lower-case hex SHA-256 of the plain bytes. */
  readonly sha256: string
  readonly meta: Readonly<Record<string, unknown>>
  /** In base64, as it was captured. */
  readonly small?: string | undefined
  readonly levels?: string | undefined
  /** Its place in this machine's chain; `hash` is that of the signed text. */
  readonly signed?: { readonly signature: z.output<typeof captureSignature>; readonly hash: string } | undefined
}

/** How long an item lasts, as it is said to the service: whole milliseconds; undefined for what has no length. */
export const sentDurationMs = ({ kind, durationMs }: Pick<ItemHeader, 'kind' | 'durationMs'>): number | undefined => {
  if (stillKinds.includes(kind)) return undefined
  if (durationMs === undefined) return kind === 'system_audio_chunk' ? 1 : undefined
  return Math.max(1, Math.round(durationMs))
}

/** An item's row: what the queue decides by without opening the file. */
export interface QueuedItem
  extends Pick<ItemHeader, 'clientId' | 'kind' | 'lane' | 'sequence' | 'capturedAt' | 'sizeBytes' | 'sha256'> {
  /** Empty for a lane without displays. */
  readonly displayId: string
  /** Of the sealed file; 0 once it was shredded. */
  readonly fileBytes: number
  readonly state: 'queued' | 'acked' | 'refused'
  /** Sendings that failed so far. */
  readonly attempts: number
  /** The chunked upload already begun for it, kept over restarts. */
  readonly uploadId: string | undefined
}

/** An integrity event before it has an id. `observedAt` is epoch milliseconds. */
export interface EventInput {
  readonly kind: string
  readonly observedAt: number
  readonly monotonicMs: number
  readonly source: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface QueuedEvent extends EventInput {
  readonly clientId: string
  readonly attempts: number
}

/** What is still to be sent, for the count-down at the end. `refused` waits for nobody. */
export interface Remaining {
  readonly events: number
  /** Of the transcript. */
  readonly segments: number
  readonly items: number
  /** Plain bytes of the items. */
  readonly bytes: number
  readonly byKind: Readonly<Partial<Record<ItemKind, number>>>
  readonly refused: number
}

/** What the spool has to say about itself; the host prints it and nothing of it is only a debug line. */
export type SpoolReport =
  | { readonly kind: 'database_set_aside'; readonly path: string; readonly reason: string }
  | { readonly kind: 'adopted'; readonly clientId: string; readonly lane: LaneName }
  | { readonly kind: 'lost'; readonly lane: LaneName; readonly items: number; readonly reason: LossReason }
  | { readonly kind: 'unreadable_file'; readonly path: string }
  | { readonly kind: 'thinned'; readonly lane: LaneName; readonly items: number }
  | { readonly kind: 'refused'; readonly clientId: string; readonly lane: LaneName; readonly reason: string }

export type LossReason = EventDataOf<'spool.lost'>['reason']

/** No room is left and nothing may be thinned. The lane reports a gap with reason `spool_full`. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'
}

/** Another process has this folder open. */
export class SpoolInUse extends Error {
  override readonly name = 'SpoolInUse'
}

/** The file of an item is gone or does not open with this key. */
export class ItemLost extends Error {
  override readonly name = 'ItemLost'
  readonly reason: LossReason
  constructor(clientId: string, reason: LossReason) {
    super(`spooled item ${clientId}: ${reason}`)
    this.reason = reason
  }
}
