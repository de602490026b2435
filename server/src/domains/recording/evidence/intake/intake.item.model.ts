import { type EvidenceType, evidenceTypes, invalid, type LaneName, ServiceError } from '@integrity/protocol'
import type { AuditActor } from '../../../../kernel/identity/actor.ts'
import type { Item, PackedBytes, StoredBytes } from '../evidence.types.ts'

/** An item that was held to its bytes and only waits for its row. */
export interface PreparedItem {
  readonly sessionId: string
  readonly item: Item
  /** Absent when the session holds the same bytes already. */
  readonly stored: StoredBytes | PackedBytes | undefined
  /** False where what a decoder needs is not there; null: nobody has tried. */
  readonly decodable?: boolean | null
}

/** How much more of a recording there is than was told before the telling is not believed. */
const slackMs = 1000

/**
 * The length to store: what was told, unless its container says that nothing was told of it, or far too little. A machine's
 * signature is over the length that it told, which then stays as it is.
 */
export const lengthOf = (
  { durationMs, captureSignature }: Pick<Item, 'captureSignature' | 'durationMs'>,
  measured: number | null,
): number | null => {
  if (measured === null || captureSignature) return durationMs
  return durationMs === null || measured > durationMs + slackMs ? measured : durationMs
}

/** Whose consent an item needs: the browser in the room is a lane of its own. */
export const laneOf = (evidenceType: EvidenceType, actor: Pick<AuditActor, 'kind'>): LaneName =>
  actor.kind === 'room' ? 'room_camera' : evidenceTypes[evidenceType].lane

export const checkContentType = ({ evidenceType, contentType }: Item): void => {
  const allowed: readonly string[] = evidenceTypes[evidenceType].contentTypes
  if (!allowed.includes(contentType)) throw invalid('contentType', `must be one of ${allowed.join(', ')}`)
}

/** Of bytes that came whole: a type of evidence has a ceiling of its own, whatever its request may hold. */
export const checkSize = (evidenceType: EvidenceType, sizeBytes: number): void => {
  const { maxBytes } = evidenceTypes[evidenceType]
  if (sizeBytes === 0) throw invalid('data', 'is empty')
  if (sizeBytes <= maxBytes) return
  const message = `is larger than ${maxBytes} bytes, which is the most of ${evidenceType}`
  throw new ServiceError('invalid_request', message, { status: 413, details: [{ path: 'data', message }] })
}

export const clientIdTaken = () =>
  new ServiceError('conflict', 'other bytes are stored under this clientId', {
    details: [{ path: 'clientId', message: 'belongs to an item with other bytes' }],
  })
