import type { Needs, Reads } from '../../../kernel/call.ts'
import { jsonEnd, jsonHead, jsonList, jsonMember, mappedPages } from '../../../kernel/json-lists.ts'
import { iso } from '../../../kernel/time.ts'
import { eventPages } from '../../interviews/integrity-events/integrity-events.service.ts'
import { observationPages } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import { eventView } from '../../interviews/integrity-events/integrity-events.view.ts'
import { consentsView } from '../../interviews/sessions/consent/consents.view.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { sessionDetailView } from '../../interviews/sessions/sessions.view.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import { contextStatementView } from '../../interviews/statements/statements.view.ts'
import { signedHead } from '../../recording/audit/audit.export.service.ts'
import { auditPagesOfSession } from '../../recording/audit/audit.list.service.ts'
import { auditRowView } from '../../recording/audit/audit.view.ts'
import { evidencePages } from '../../recording/evidence/evidence.service.ts'
import { evidenceView } from '../../recording/evidence/evidence.view.ts'
import { notesOf } from '../notes/notes.service.ts'
import { noteView } from '../notes/notes.view.ts'
import { timelinePages } from '../transcripts/timeline.service.ts'
import { segmentPages } from '../transcripts/transcripts.service.ts'
import { segmentView, timelinePlaceView } from '../transcripts/transcripts.view.ts'
import { annotationView } from './annotations.view.ts'
import { readWholeCoverage } from './coverage.service.ts'
import { momentView, rulesView } from './coverage.view.ts'

const exportFormat = 'session-export/1'

async function* once<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items
}

/**
 * All that is kept of a session as a JSON document of the format `session-export/1`, written while it is read. Bytes of
 * evidence are in it by size and hash. `timeline` names places; what stands there is in the list of its kind.
 */
export async function* writeSessionExport(
  call: Reads & Needs<'clock' | 'keyring'>,
  sessionId: string,
): AsyncGenerator<string> {
  const { orgId } = call.scope
  const session = await getSession(call, sessionId)
  const { lanes, rules, pages, ...coverage } = await readWholeCoverage(call, sessionId)
  const notes = await notesOf(call, sessionId)
  yield jsonHead({
    format: exportFormat,
    createdAt: iso(call.clock.now()),
    session: sessionDetailView(session),
    consents: await consentsView(call, sessionId),
    coverage: lanes,
    rules: rulesView(rules),
  })
  yield* jsonList(
    'moments',
    mappedPages(pages, (moment) => momentView(sessionId, moment, coverage)),
  )
  yield* jsonList('timeline', mappedPages(timelinePages(call, sessionId), timelinePlaceView))
  for (const [name, rows] of [
    ['atStart', observationPages(call, { sessionId, which: 'states' })],
    ['events', observationPages(call, { sessionId, which: 'events' })],
    ['bookkeeping', eventPages(call, { sessionId, category: 'bookkeeping' })],
  ] as const)
    yield* jsonList(
      name,
      mappedPages(rows, (row) => eventView(sessionId, row)),
    )
  yield* jsonList('transcript', mappedPages(segmentPages(call, sessionId), segmentView))
  const statements = await statementsOf(call, sessionId)
  yield* jsonList('statements', mappedPages(once(statements), contextStatementView))
  yield* jsonList('notes', mappedPages(once(notes), noteView))
  yield* jsonList('annotations', mappedPages(once(coverage.annotations), annotationView))
  yield* jsonList('inventory', mappedPages(evidencePages(call, sessionId), evidenceView))
  yield* jsonList('audit', mappedPages(auditPagesOfSession(call, { orgId, sessionId }), auditRowView))
  yield jsonMember('chain', await signedHead(call, orgId))
  yield jsonEnd
}
