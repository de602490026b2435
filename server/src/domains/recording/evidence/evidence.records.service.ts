import { createHash } from 'node:crypto'
import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { FoundRecord, RecordSource } from '../../../kernel/session-records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { countTombstones as countRows, listRecordRows } from './evidence.records.store.ts'
import type { EvidenceRow } from './evidence.types.ts'

const pageRows = 500

/** What an erasure leaves of a row. The lane of its source stays, the name of a display goes. */
const left = (row: EvidenceRow) => ({
  evidenceType: row.evidenceType,
  position: row.position,
  typePosition: row.typePosition,
  sizeBytes: row.sizeBytes,
  sha256: row.sha256,
  contentType: row.contentType,
  capturedAt: row.capturedAt,
  durationMs: row.durationMs,
  createdAt: row.createdAt,
  sentBy: row.sentBy,
  decodable: row.decodable,
  sequence: row.sequence,
  playedAt: row.playedAt,
  signingKey: row.signingKey,
  signingSequence: row.signingSequence,
  signingPrevious: row.signingPrevious,
  signingSignature: row.signingSignature,
  signingVerified: row.signingVerified,
})

/** The rest, which goes. */
const said = ({ clientId, metadata, source }: EvidenceRow) => ({ clientId, metadata, source })

/** A row as it is stored. */
export const evidenceRecords = (row: EvidenceRow): SessionRecord[] => [
  { kind: 'evidence', id: row.id, value: left(row) },
  { kind: 'evidence_said', id: row.id, value: said(row) },
]

async function* pagesOf(reader: Reader, place: SessionPlace): AsyncGenerator<EvidenceRow[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: EvidenceRow[] = await listRecordRows(reader, place, { after, limit: pageRows })
    yield rows
    after = rows.length < pageRows ? undefined : rows.at(-1)?.position
  }
}

/** How many rows say that they were erased. */
export const countTombstones = (reader: Reader, place: SessionPlace): Promise<number> => countRows(reader, place)

/** Evidence of a session. Of an erased one: that each row is there, and all that is left of them as one. */
export const evidenceRecordSource: RecordSource = {
  async *list(reader, place, isErased) {
    const all = createHash('sha256')
    let objects = 0
    for await (const rows of pagesOf(reader, place)) {
      const page: FoundRecord[] = []
      for (const row of rows) {
        const isGone = row.erasedAt !== null
        const value = left(row)
        page.push({ kind: 'evidence', id: row.id, value: isErased ? undefined : value })
        page.push({ kind: 'evidence_said', id: row.id, value: isErased || isGone ? undefined : said(row) })
        if (isErased)
          all.update(`${JSON.stringify([row.id, row.clientId, row.metadata, row.source, row.erasedAt, value])}\n`)
      }
      objects += rows.length
      yield page
    }
    if (isErased && objects > 0)
      yield [{ kind: 'left_of_evidence', id: place.sessionId, value: { objects, sha256: all.digest('hex') } }]
  },
}
