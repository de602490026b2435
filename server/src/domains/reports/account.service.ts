import { type LaneName, laneNames } from '@integrity/protocol'
import type { Reads } from '../../kernel/call.ts'
import { type PhonePresence, readPresence } from '../companions/presence.log.service.ts'
import { capturedOf } from '../evidence/captured.service.ts'
import { gapsOf, windowsOf } from '../lanes/lanes.service.ts'
import { answersOfDevice } from '../sessions/device-consent.service.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { accountOf } from './account.model.ts'
import type { SourceAccount } from './account.types.ts'

export interface SessionAccount {
  readonly session: SessionRow
  readonly sources: readonly SourceAccount[]
  /** How many items there were of each lane, those that were erased too. */
  readonly objects: ReadonlyMap<LaneName, number>
  readonly phones: readonly PhonePresence[]
}

/** What `screen:<displayId>` and the names of lanes are of. */
export const laneOfSource = (source: string): LaneName | undefined => {
  const name = source.split(':', 1)[0]
  return laneNames.find((lane) => lane === name)
}

/** What was captured of every lane, display, camera and device of a session, to the millisecond. Throws `not_found`. */
export const readAccount = async (call: Reads, sessionId: string): Promise<SessionAccount> => {
  const session = await getSession(call, sessionId)
  const windows = await windowsOf(call, sessionId)
  const gaps = await gapsOf(call, sessionId)
  const hasRoomCamera = session.consent?.lanes.room_camera?.granted === true
  const captured = await capturedOf(call, { id: sessionId, hasRoomCamera })
  const phones = await readPresence(call, sessionId)
  const answers = await answersOfDevice(call, { sessionId, kind: 'companion' })
  const objects = new Map<LaneName, number>()
  for (const { source } of captured) {
    const lane = laneOfSource(source)
    if (lane) objects.set(lane, (objects.get(lane) ?? 0) + 1)
  }
  const held = captured.filter(({ erasedAt }) => erasedAt === null)
  const sources = accountOf({ session, windows, gaps, objects: held, sideView: { phones, answers } })
  return { session, sources, objects, phones }
}
