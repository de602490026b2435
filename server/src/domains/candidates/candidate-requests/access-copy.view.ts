import type { Needs, Reads } from '../../../kernel/call.ts'
import { jsonEnd, jsonHead, jsonList, mappedPages } from '../../../kernel/json-lists.ts'
import { iso } from '../../../kernel/time.ts'
import { eventPages } from '../../interviews/integrity-events/integrity-events.service.ts'
import { observationPages } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import { eventView } from '../../interviews/integrity-events/integrity-events.view.ts'
import { consentReceipt } from '../../interviews/sessions/consent/consent-receipt.view.ts'
import { consentsView } from '../../interviews/sessions/consent/consents.view.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { ownSessionView } from '../../interviews/sessions/sessions.view.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { downloadUrlOf, evidencePages } from '../../recording/evidence/evidence.service.ts'
import type { EvidenceRow } from '../../recording/evidence/evidence.types.ts'
import { evidenceView } from '../../recording/evidence/evidence.view.ts'
import { segmentPages } from '../../review/transcripts/transcripts.service.ts'
import { segmentView } from '../../review/transcripts/transcripts.view.ts'
import { ownRequestView } from './candidate-requests.view.ts'
import { readConversations } from './submitting.service.ts'

const accessCopyFormat = 'candidate-access-copy/1'

const about =
  'Your interview data. Each object of evidence that is still there has an address that works for five minutes after this file was made; download the file again for new ones. Times are in UTC.'

type AddressCall = Needs<'clock' | 'config' | 'downloadKey' | 'scope'>

const withAddress = (call: AddressCall) => (row: EvidenceRow) => ({
  ...evidenceView(row),
  download: row.erasedAt === null ? downloadUrlOf(call, row.id) : null,
})

/** How a copy says where an object is, and what it says of itself. */
interface Form {
  readonly format: string
  readonly about: string
  readonly evidenceOf: (row: EvidenceRow) => object
}

/**
 * The copy of what is kept of a session, for its candidate: a JSON document of the format `candidate-access-copy/1`, piece
 * by piece. Nothing in it is of those who review. Lists hold one item a line, so that a person can read them too.
 */
export const writeAccessCopy = (call: AddressCall & Needs<'db'>, session: SessionRow): AsyncGenerator<string> =>
  writeCopy({ ...call, reader: call.db.reader }, session, {
    format: accessCopyFormat,
    about,
    evidenceOf: withAddress(call),
  })

/** The same for whoever has the objects elsewhere. */
export async function* writeCopy(
  call: Reads & Needs<'clock'>,
  session: SessionRow,
  { format, about: words, evidenceOf }: Form,
): AsyncGenerator<string> {
  const { id } = session
  const { name } = await getOrg(call, call.scope.orgId)
  const consents = await consentsView(call, id)
  const head = {
    format,
    createdAt: iso(call.clock.now()),
    about: words,
    organisation: { name },
    session: ownSessionView(session),
    consents,
    consentReceipts: consents.map((consent) => consentReceipt(consent, { session, orgName: name })),
    requests: (await readConversations(call, id)).map(ownRequestView),
  }
  yield jsonHead(head)
  yield* jsonList('evidence', mappedPages(evidencePages(call, id), evidenceOf))
  yield* jsonList('transcript', mappedPages(segmentPages(call, id), segmentView))
  for (const [name, rows] of [
    ['atStart', observationPages(call, { sessionId: id, which: 'states' })],
    ['events', observationPages(call, { sessionId: id, which: 'events' })],
    ['bookkeeping', eventPages(call, { sessionId: id, category: 'bookkeeping' })],
  ] as const)
    yield* jsonList(
      name,
      mappedPages(rows, (row) => eventView(id, row)),
    )
  yield jsonEnd
}
