import type { Needs, Reads } from '../../kernel/call.ts'
import { evidenceInventory } from '../evidence/evidence.service.ts'
import { countsOf } from '../integrity-events/integrity-events.service.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { readLanes } from './coverage.service.ts'

const durationMs = (session: SessionRow, now: number): number =>
  session.startedAt === null ? 0 : (session.endedAt ?? now) - session.startedAt

/** Revisions come with reviews; until one is signed off a report is the draft, revision 0. */
const unreviewed = { revision: 0, status: 'draft' as const }

export const buildReport = async (call: Reads & Needs<'clock'>, sessionId: string) => {
  const { session, inventory, coverage } = await readLanes(call, sessionId)
  const now = call.clock.now()
  return {
    sessionId,
    ...unreviewed,
    durationMs: durationMs(session, now),
    signalTotal: session.eventCount,
    signalsByKind: await countsOf(call, sessionId),
    inventoryObjects: inventory.reduce((total, row) => total + row.objects, 0),
    inventory,
    coverage,
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
