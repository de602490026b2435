import { hash } from 'node:crypto'
import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { inOnePage } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { findReviewRecord, listSignOffRecords, listStalenessRecords } from './reviews.records.store.ts'

const readReview = async (reader: Reader, place: SessionPlace) => {
  const review = await findReviewRecord(reader, place)
  if (!review) return []
  const { id, ...value } = review
  return [{ kind: 'review', id, value } as const]
}

/** `document`: SHA-256, in hex, of the text that is kept, which is not the one that was signed where a candidate's words were in it. */
const readSignOffs = async (reader: Reader, place: SessionPlace, only?: number) =>
  (await listSignOffRecords(reader, place, only)).map(({ revision, document, ...value }) => ({
    kind: 'sign_off' as const,
    id: String(revision),
    value: { ...value, document: hash('sha256', document, 'hex') },
  }))

const readStaleness = async (reader: Reader, place: SessionPlace) =>
  (await listStalenessRecords(reader, place)).map(({ revision, ...value }) => ({
    kind: 'staleness' as const,
    id: String(revision),
    value,
  }))

export const reviewRecord = (reader: Reader, place: SessionPlace): Promise<SessionRecord[]> => readReview(reader, place)

/** One sign-off as it is stored now. */
export const signOffRecord = (
  reader: Reader,
  { revision, ...place }: SessionPlace & { readonly revision: number },
): Promise<SessionRecord[]> => readSignOffs(reader, place, revision)

export const stalenessRecord = async (
  reader: Reader,
  { revision, ...place }: SessionPlace & { readonly revision: number },
): Promise<SessionRecord[]> => (await readStaleness(reader, place)).filter(({ id }) => id === String(revision))

/** The review of a session, its sign-offs, and what came after them. */
export const reviewsRecords = inOnePage(async (reader, place) => [
  ...(await readReview(reader, place)),
  ...(await readSignOffs(reader, place)),
  ...(await readStaleness(reader, place)),
])
