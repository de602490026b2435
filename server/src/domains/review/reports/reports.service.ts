import { shownAids } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { signalsOf } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import type { RevisionRow } from '../../interviews/reviews/reviews.types.ts'
import { newestRevision } from '../../interviews/reviews/revisions.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import { statementView } from '../../interviews/statements/statements.view.ts'
import { sumCaptureChain } from '../../recording/evidence/evidence.chain.service.ts'
import { evidenceInventory } from '../../recording/evidence/evidence.service.ts'
import { notesOf } from '../notes/notes.service.ts'
import type { NoteRow } from '../notes/notes.types.ts'
import { readLanes } from './coverage.service.ts'

const stalenessOf = (newest: RevisionRow | undefined) =>
  newest && newest.staleAt !== null && newest.staleCause !== null
    ? { at: iso(newest.staleAt), cause: newest.staleCause }
    : null

const durationMs = (session: SessionRow, now: number): number =>
  session.startedAt === null ? 0 : (session.endedAt ?? now) - session.startedAt

/** Until it is signed off, a report is the draft, revision 0. */
const standingOf = (newest: RevisionRow | undefined) => {
  const status = newest?.staleAt === null ? ('signed_off' as const) : ('stale' as const)
  return { revision: newest?.revision ?? 0, status: newest ? status : ('draft' as const) }
}

/** Who wrote a note is for the organisation to know: its key is told what they were. */
const publicNote = ({ id, authorRole, text, createdAt }: NoteRow) => ({
  id,
  authorRole,
  text,
  createdAt: iso(createdAt),
})

export const buildReport = async (call: Reads & Needs<'clock'>, sessionId: string) => {
  const { session, inventory, coverage } = await readLanes(call, sessionId)
  const now = call.clock.now()
  const signals = await signalsOf(call, sessionId)
  const newest = await newestRevision(call, sessionId)
  return {
    sessionId,
    ...standingOf(newest),
    staleness: stalenessOf(newest),
    durationMs: durationMs(session, now),
    signalTotal: signals.total,
    signalsByKind: signals.byKind,
    atStart: signals.atStart,
    inventoryObjects: inventory.reduce((total, row) => total + row.objects, 0),
    inventory,
    coverage,
    captureChain: await sumCaptureChain(call, sessionId),
    statements: (await statementsOf(call, sessionId)).map(statementView),
    aids: shownAids(session.config),
    notes: (await notesOf(call, sessionId)).map(publicNote),
    capabilities: session.capabilities,
    generatedAt: new Date(now).toISOString(),
  }
}

export const buildReviewStatus = async (call: Reads, sessionId: string) => {
  await getSession(call, sessionId)
  const inventory = await evidenceInventory(call, sessionId)
  const newest = await newestRevision(call, sessionId)
  const standing = standingOf(newest)
  const sum = (of: (row: (typeof inventory)[number]) => number) => inventory.reduce((total, row) => total + of(row), 0)
  const remaining = inventory
    .map(({ evidenceType, objects, erasedObjects }) => ({ evidenceType, objects: objects - erasedObjects }))
    .filter(({ objects }) => objects > 0)
  const objects = sum((row) => row.objects)
  const erasedObjects = sum((row) => row.erasedObjects)
  return {
    sessionId,
    ...standing,
    approved: standing.status === 'signed_off',
    stale: standing.status === 'stale',
    signedOffAt: isoOrNull(newest?.signedOffAt ?? null),
    evidence: { objects, erasedObjects, remaining },
    remainingEvidence: { objects: objects - erasedObjects, sizeBytes: sum((row) => row.sizeBytes) },
  }
}
