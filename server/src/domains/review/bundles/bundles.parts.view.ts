import { randomBytes } from 'node:crypto'
import { newestStamped, stampedView } from '../../../kernel/audit/audit.timestamp.ts'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { mappedPages } from '../../../kernel/json-lists.ts'
import { eventPages } from '../../interviews/integrity-events/integrity-events.service.ts'
import { eventView } from '../../interviews/integrity-events/integrity-events.view.ts'
import { newestRevision } from '../../interviews/reviews/revisions.service.ts'
import { consentsView } from '../../interviews/sessions/consent/consents.view.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { ownSessionView, sessionDetailView } from '../../interviews/sessions/sessions.view.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import { statementView } from '../../interviews/statements/statements.view.ts'
import { extractOf } from '../../recording/audit/audit.extract.service.ts'
import { captureChainOf } from '../../recording/evidence/evidence.chain.service.ts'
import { evidencePages } from '../../recording/evidence/evidence.service.ts'
import { evidenceView } from '../../recording/evidence/evidence.view.ts'
import { readLanes } from '../reports/coverage.service.ts'
import { reportDocumentOf, signedReportOf } from '../reports/report.document.service.ts'
import { segmentPages } from '../transcripts/transcripts.service.ts'
import { segmentView } from '../transcripts/transcripts.view.ts'
import { shownTo } from './bundles.policy.ts'
import { recordLines } from './bundles.records.view.ts'
import type { Wanted } from './bundles.types.ts'

/** A file of a bundle that is written for it. */
export interface WrittenPart {
  readonly path: string
  readonly kind: string
  /** The text in pieces; of a file of lines, each piece is a page of them. */
  readonly text: AsyncIterable<string> | Iterable<string>
  readonly lines?: AsyncIterable<readonly string[]>
}

export type PartsCall = Reads & Needs<'clock' | 'db' | 'keyring' | 'recordSources' | 'seal'>

/** Short words could be guessed from a hash; with this beside them a line that was taken out tells nothing. */
const salted = (item: object): string => JSON.stringify({ salt: randomBytes(16).toString('hex'), ...item })

async function* saltedPages<T>(
  pages: AsyncIterable<readonly T[]>,
  view: (item: T) => object,
): AsyncGenerator<string[]> {
  for await (const page of mappedPages(pages, view)) yield page.map((item) => salted(item as object))
}

const whole = (path: string, kind: string, value: unknown): WrittenPart => ({
  path,
  kind,
  text: [`${JSON.stringify(value, null, 2)}\n`],
})
const listed = (path: string, kind: string, lines: AsyncIterable<readonly string[]>): WrittenPart => ({
  path,
  kind,
  lines,
  text: [],
})

async function* reports(call: PartsCall, sessionId: string): AsyncGenerator<WrittenPart> {
  const newest = (await newestRevision(call, sessionId))?.revision ?? 0
  const signOffs: object[] = []
  for (let revision = 1; revision <= newest; revision++) {
    const signed = await signedReportOf(call, { sessionId, revision })
    if (!signed) continue
    const path = `reports/report-${revision}.json`
    const { document, staleAt: _, staleCause: _cause, ...signOff } = signed
    signOffs.push({ path, ...signOff, signedOffAt: new Date(signOff.signedOffAt).toISOString() })
    yield { path, kind: 'report', text: [document] }
  }
  yield whole('reports/sign-offs.json', 'sign_offs', signOffs)
  if (newest === 0) {
    const { text } = await reportDocumentOf(call, sessionId)
    yield { path: 'reports/report-unsigned.json', kind: 'report_unsigned', text: [text] }
  }
}

async function* events(call: Reads, sessionId: string): AsyncGenerator<string[]> {
  for (const category of ['observation', 'bookkeeping'] as const)
    yield* saltedPages(eventPages(call, { sessionId, category }), (row) => eventView(sessionId, row))
}

async function* statements(call: Reads, sessionId: string): AsyncGenerator<string[]> {
  yield (await statementsOf(call, sessionId)).map((row) => salted(statementView(row)))
}

async function* audit(call: PartsCall, sessionId: string, { audience }: Wanted): AsyncGenerator<WrittenPart> {
  const shows = (action: string, actorKind: string) => shownTo(audience, action, actorKind)
  const wanted = { sessionId, shows }
  const extract = await extractOf(call, { orgId: call.scope.orgId, wanted })
  yield listed('audit.jsonl', 'audit', extract.lines)
  yield { path: 'audit-checkpoint.txt', kind: 'audit_checkpoint', text: [extract.checkpoint] }
  yield { path: 'verifier-key.txt', kind: 'verifier_key', text: [`${extract.verifierKey}\n`] }
  const stamped = stampedView(await newestStamped(call.reader, call.scope.orgId))
  if (stamped) yield whole('audit-timestamp.json', 'audit_timestamp', stamped)
}

/** Everything of a bundle but its evidence, one part after the other: each is read to its end before the next. */
export async function* writtenParts(call: PartsCall, session: SessionRow, wanted: Wanted): AsyncGenerator<WrittenPart> {
  const { id } = session
  const { coverage } = await readLanes(call, id)
  const isTheirs = wanted.audience === 'candidate'
  yield whole('session.json', 'session', isTheirs ? ownSessionView(session) : sessionDetailView(session))
  yield whole('consents.json', 'consents', await consentsView(call, id))
  yield whole('coverage.json', 'coverage', coverage)
  yield listed('events.jsonl', 'events', events(call, id))
  yield listed('transcript.jsonl', 'transcript', saltedPages(segmentPages(call, id), segmentView))
  yield listed('statements.jsonl', 'statements', statements(call, id))
  yield listed('evidence.jsonl', 'inventory', saltedPages(evidencePages(call, id), evidenceView))
  yield whole('capture-chain.json', 'capture_chain', await captureChainOf(call, id))
  if (wanted.reports) yield* reports(call, id)
  yield listed('records.jsonl', 'records', recordLines(call, id, wanted))
  yield* audit(call, id, wanted)
}
