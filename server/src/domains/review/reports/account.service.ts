import { evidenceTypes, type LaneName } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { spansOf } from '../../interviews/lanes/lanes.service.ts'
import { answersOfDevice } from '../../interviews/sessions/consent/device-consent.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { type PhonePresence, readPresence } from '../../recording/companions/presence.log.service.ts'
import { countFromRooms, evidenceInventory } from '../../recording/evidence/evidence.service.ts'
import { heldObjects } from '../../recording/evidence/held.service.ts'
import { accountOf } from './account.model.ts'
import type { SourceAccount } from './account.types.ts'

export type Inventory = Awaited<ReturnType<typeof evidenceInventory>>

export interface SessionAccount {
  readonly session: SessionRow
  readonly sources: readonly SourceAccount[]
  readonly inventory: Inventory
  /** How many items there were of each lane, those that were erased too. */
  readonly objects: ReadonlyMap<LaneName, number>
  readonly phones: readonly PhonePresence[]
}

/** No type tells the camera in the room from the candidate's. */
const objectsOfLanes = (inventory: Inventory, fromRooms: number): ReadonlyMap<LaneName, number> => {
  const objects = new Map<LaneName, number>()
  for (const row of inventory) {
    const { lane } = evidenceTypes[row.evidenceType]
    objects.set(lane, (objects.get(lane) ?? 0) + row.objects)
  }
  objects.set('camera', (objects.get('camera') ?? 0) - fromRooms)
  objects.set('room_camera', fromRooms)
  return objects
}

/** What was captured of every lane, display, camera and device of a session, to the millisecond. Throws `not_found`. */
export const readAccount = async (call: Reads, sessionId: string): Promise<SessionAccount> => {
  const session = await getSession(call, sessionId)
  const spans = await spansOf(call, sessionId)
  const objects = await heldObjects(call, sessionId)
  const phones = await readPresence(call, sessionId)
  const answers = await answersOfDevice(call, { sessionId, kind: 'companion' })
  const inventory = await evidenceInventory(call, sessionId)
  const sources = accountOf({ session, ...spans, objects, sideView: { phones, answers } })
  return {
    session,
    sources,
    inventory,
    objects: objectsOfLanes(inventory, await countFromRooms(call, sessionId)),
    phones,
  }
}
