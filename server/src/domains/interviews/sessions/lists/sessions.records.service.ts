import type { SessionRecord } from '../../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../../kernel/audit/audit.records.store.ts'
import type { Reads, Writes } from '../../../../kernel/call.ts'
import { inOnePage } from '../../../../kernel/session-records.ts'
import type { Reader } from '../../../../platform/db/types.ts'
import type { SessionRow } from '../sessions.types.ts'
import { findHoldMark, findSessionRecord, listConsentRecords } from './sessions.records.store.ts'

const placeOf = ({ scope: { orgId } }: Pick<Reads, 'scope'>, sessionId: string): SessionPlace => ({ orgId, sessionId })

const readSession = async (reader: Reader, place: SessionPlace) => {
  const value = await findSessionRecord(reader, place)
  return value ? [{ kind: 'session', id: place.sessionId, value } as const] : []
}

const readConsents = async (reader: Reader, place: SessionPlace, only?: string) =>
  (await listConsentRecords(reader, place, only)).map(({ id, ...value }) => ({ kind: 'consent', id, value }) as const)

/** A session as the transaction leaves it; call after its row was written. `state` where that is written later. */
export const sessionRecord = async (
  { tx, scope }: Pick<Writes, 'tx' | 'scope'>,
  { sessionId, ...to }: { readonly sessionId: string } & Partial<Pick<SessionRow, 'state'>>,
): Promise<SessionRecord[]> =>
  (await readSession(tx, placeOf({ scope }, sessionId))).map((record) => ({
    ...record,
    value: { ...record.value, ...to },
  }))

/** An answer that was just written, with the session that it changed. */
export const answerRecords = async (
  call: Pick<Writes, 'tx' | 'scope'>,
  {
    sessionId,
    consentId,
    ...to
  }: { readonly sessionId: string; readonly consentId: string | null } & Partial<Pick<SessionRow, 'state'>>,
): Promise<SessionRecord[]> => [
  ...(await sessionRecord(call, { sessionId, ...to })),
  ...(consentId === null ? [] : await readConsents(call.tx, placeOf(call, sessionId), consentId)),
]

/** A session and the answers to its consents, and the mark of a hold of its own. */
export const sessionsRecords = inOnePage(async (reader, place) => [
  ...(await readSession(reader, place)),
  ...(await readConsents(reader, place)),
  ...((await findHoldMark(reader, place))
    ? [{ kind: 'hold_mark', id: place.sessionId, value: { on: true } } as const]
    : []),
])
