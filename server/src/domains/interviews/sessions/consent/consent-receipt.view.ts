import { createHash } from 'node:crypto'
import type { LaneName } from '@integrity/protocol'
import type { SessionRow } from '../sessions.types.ts'
import type { ConsentRecord } from './consent.model.ts'
import type { consentsView } from './consents.view.ts'

type Consent = Awaited<ReturnType<typeof consentsView>>[number]
type Answered = Partial<Record<LaneName, { readonly granted: boolean; readonly at: string }>>
interface Shown {
  readonly retentionDays: number
  readonly lanes: readonly { lane: LaneName; required: boolean; title: string; text: string }[]
}

/** The fields of ISO/IEC TS 27560:2023, by the names in W3C's mapping of it. */
const schemaVersion = 'ISO/IEC TS 27560:2023'
const controller = 'controller'

/** The same answer has the same id in every copy. */
const recordIdOf = (sessionId: string, { kind, documentHash, recordedAt }: Consent): string =>
  createHash('sha256')
    .update(JSON.stringify([sessionId, kind, documentHash, recordedAt]))
    .digest('hex')
    .slice(0, 32)

const purposeOf = (days: number, granted: Answered) => (one: Shown['lanes'][number]) => ({
  purpose: one.title,
  purpose_type: 'interview integrity',
  lawful_basis: 'consent',
  pii_information: [
    {
      pii_type: one.lane,
      pii_optional: !one.required,
      description: one.text,
      given: granted[one.lane]?.granted ?? false,
    },
  ],
  pii_controllers: [controller],
  collection_method: one.text,
  retention_period: `P${days}D`,
})

/** What was answered for each lane, and its withdrawal as the session knows it now. */
const eventsOf = (sessionId: string, answered: Answered, kept: ConsentRecord['lanes']) =>
  (Object.entries(answered) as [LaneName, { granted: boolean; at: string }][]).flatMap(([lane, { granted, at }]) => {
    const of = { entity_id: sessionId, pii_type: lane }
    const given = {
      event_time: at,
      event_type: 'explicit',
      event_state: granted ? 'consent given' : 'consent refused',
      ...of,
    }
    const over = granted ? kept[lane]?.withdrawnAt : null
    const withdrawn = { event_type: 'explicit', event_state: 'consent withdrawn', ...of }
    return over ? [given, { event_time: over, ...withdrawn }] : [given]
  })

/**
 * A receipt for one answer to a consent document, for whoever gave it: header, processing, parties and events. The document
 * that was shown is beside it in the copy; `privacy_notice` is its hash.
 */
export const consentReceipt = (
  consent: Consent,
  { session, orgName }: { readonly session: SessionRow; readonly orgName: string },
) => {
  const shown = consent.shown as Shown
  const answered = consent.lanes as Answered
  const recordId = recordIdOf(session.id, consent)
  return {
    receipt: { schema_version: schemaVersion, receipt_id: recordId },
    record: {
      schema_version: schemaVersion,
      record_id: recordId,
      pii_principal_id: session.id,
      pii_processing: {
        privacy_notice: consent.documentHash,
        language: consent.locale,
        purposes: shown.lanes.map(purposeOf(shown.retentionDays, answered)),
        withdrawal_method:
          'in the application or the room, during the interview; afterwards by a request to the organisation',
        privacy_rights: ['access', 'erasure', 'withdrawal of consent'],
      },
      party_identification: [{ party_id: controller, party_name: orgName, party_role: 'PII controller' }],
      events: eventsOf(session.id, answered, session.consent?.lanes ?? {}),
    },
  }
}
