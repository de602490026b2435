import { evidenceTypes, type LaneName } from '@integrity/protocol'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readPresence } from '../companions/presence.log.service.ts'
import { evidenceInventory } from '../evidence/evidence.service.ts'
import { eventCounts } from '../integrity-events/integrity-events.service.ts'
import { listGaps, listWindows } from '../lanes/lanes.service.ts'
import { answersOfDevice } from '../sessions/device-consent.service.ts'
import { getSession, type SessionRow } from '../sessions/sessions.service.ts'
import { coverageOf } from './coverage.ts'

const durationMs = (session: SessionRow, now: number): number =>
  session.startedAt === null ? 0 : (session.endedAt ?? now) - session.startedAt

/** Revisions come with reviews; until one is signed off a report is the draft, revision 0. */
const unreviewed = { revision: 0, status: 'draft' as const }

export const buildReport = async (app: AppContext, scope: Scope, sessionId: string) => {
  const { reader } = app.db
  const session = await getSession(reader, scope, sessionId)
  const inventory = await evidenceInventory(reader, scope, sessionId)
  const objects = new Map<LaneName, number>()
  for (const row of inventory) {
    const { lane } = evidenceTypes[row.evidenceType]
    objects.set(lane, (objects.get(lane) ?? 0) + row.objects)
  }
  const now = app.clock.now()
  return {
    sessionId,
    ...unreviewed,
    durationMs: durationMs(session, now),
    signalTotal: session.eventCount,
    signalsByKind: await eventCounts(reader, scope, sessionId),
    inventoryObjects: inventory.reduce((total, row) => total + row.objects, 0),
    inventory,
    coverage: coverageOf({
      session,
      windows: await listWindows(reader, scope, sessionId),
      gaps: await listGaps(reader, scope, sessionId),
      objects,
      sideView: {
        phones: await readPresence(reader, scope, sessionId),
        answers: await answersOfDevice(reader, scope, sessionId, 'companion'),
      },
    }),
    notes: [],
    capabilities: session.capabilities,
    generatedAt: new Date(now).toISOString(),
  }
}

export const buildReviewStatus = async (app: AppContext, scope: Scope, sessionId: string) => {
  await getSession(app.db.reader, scope, sessionId)
  const inventory = await evidenceInventory(app.db.reader, scope, sessionId)
  const remaining = inventory.map((row) => ({ objects: row.objects - row.erasedObjects, sizeBytes: row.sizeBytes }))
  return {
    sessionId,
    ...unreviewed,
    signedOffAt: null,
    remainingEvidence: {
      objects: remaining.reduce((total, row) => total + row.objects, 0),
      sizeBytes: remaining.reduce((total, row) => total + row.sizeBytes, 0),
    },
  }
}
