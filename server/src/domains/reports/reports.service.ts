import { evidenceTypes, type LaneName } from '@integrity/protocol'
import type { Needs, Reads } from '../../kernel/call.ts'
import { readPresence } from '../companions/presence.log.service.ts'
import { evidenceInventory } from '../evidence/evidence.service.ts'
import { countsOf } from '../integrity-events/integrity-events.service.ts'
import { gapsOf, windowsOf } from '../lanes/lanes.service.ts'
import { answersOfDevice } from '../sessions/device-consent.service.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { coverageOf } from './coverage.model.ts'

const durationMs = (session: SessionRow, now: number): number =>
  session.startedAt === null ? 0 : (session.endedAt ?? now) - session.startedAt

/** Revisions come with reviews; until one is signed off a report is the draft, revision 0. */
const unreviewed = { revision: 0, status: 'draft' as const }

export const buildReport = async (call: Needs<'clock' | 'db' | 'scope'>, sessionId: string) => {
  const { scope } = call
  const { reader } = call.db
  const session = await getSession({ ...call, reader }, sessionId)
  const inventory = await evidenceInventory({ ...call, reader }, sessionId)
  const objects = new Map<LaneName, number>()
  for (const row of inventory) {
    const { lane } = evidenceTypes[row.evidenceType]
    objects.set(lane, (objects.get(lane) ?? 0) + row.objects)
  }
  const now = call.clock.now()
  return {
    sessionId,
    ...unreviewed,
    durationMs: durationMs(session, now),
    signalTotal: session.eventCount,
    signalsByKind: await countsOf({ reader, scope }, sessionId),
    inventoryObjects: inventory.reduce((total, row) => total + row.objects, 0),
    inventory,
    coverage: coverageOf({
      session,
      windows: await windowsOf({ reader, scope }, sessionId),
      gaps: await gapsOf({ reader, scope }, sessionId),
      objects,
      sideView: {
        phones: await readPresence({ ...call, reader }, sessionId),
        answers: await answersOfDevice({ ...call, reader }, sessionId, 'companion'),
      },
    }),
    notes: [],
    capabilities: session.capabilities,
    generatedAt: new Date(now).toISOString(),
  }
}

export const buildReviewStatus = async (call: Reads, sessionId: string) => {
  await getSession(call, sessionId)
  const inventory = await evidenceInventory(call, sessionId)
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
