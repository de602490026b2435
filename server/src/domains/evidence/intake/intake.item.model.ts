import { type EvidenceType, evidenceTypes, invalid, type LaneName, ServiceError } from '@integrity/protocol'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import type { Item, StoredBytes } from '../evidence.types.ts'

/** An item that was held to its bytes and only waits for its row. */
export interface PreparedItem {
  readonly sessionId: string
  readonly item: Item
  /** Absent when the session holds the same bytes already. */
  readonly stored: StoredBytes | undefined
}

/** Whose consent an item needs: the browser in the room is a lane of its own. */
export const laneOf = (evidenceType: EvidenceType, actor: Pick<AuditActor, 'kind'>): LaneName =>
  actor.kind === 'room' ? 'room_camera' : evidenceTypes[evidenceType].lane

export const checkContentType = ({ evidenceType, contentType }: Item): void => {
  const allowed: readonly string[] = evidenceTypes[evidenceType].contentTypes
  if (!allowed.includes(contentType)) throw invalid('contentType', `must be one of ${allowed.join(', ')}`)
}

export const clientIdTaken = () =>
  new ServiceError('conflict', 'other bytes are stored under this clientId', {
    details: [{ path: 'clientId', message: 'belongs to an item with other bytes' }],
  })
