import { hash as hashOf } from 'node:crypto'
import type { Digest } from '../../platform/db/types.ts'
import { type AuditRow, payloadHash, quoted, rowText } from './audit.chain.ts'
import type { StoredRow } from './audit.store.ts'

/** A row of the chain with the payload beside it; `salt` and `payload` are null once erased, or if there never was one. */
export interface RowWithPayload extends StoredRow {
  readonly salt: string | null
  readonly payload: string | null
}

/** Whatever stands in the column: a row that was tampered with is to be named, not to fail. */
export const isoOf = (at: number): string => {
  const date = new Date(at)
  return Number.isNaN(date.valueOf()) ? String(at) : date.toISOString()
}

/** A stored row as the chain commits to it. */
export const chained = (row: StoredRow): AuditRow => ({
  orgId: row.orgId,
  seq: row.seq,
  at: isoOf(row.at),
  actor: { kind: row.actorKind, id: row.actorId },
  action: row.action,
  target: row.target,
  sessionId: row.sessionId,
  payloadHash: row.payloadHash,
  prevHash: row.prevHash,
})

export const payloadHolds = (row: Pick<RowWithPayload, 'payload' | 'salt' | 'payloadHash'>): boolean =>
  row.payload === null ||
  row.salt === null ||
  (row.payloadHash !== null && payloadHash(Buffer.from(row.salt, 'hex'), row.payload) === row.payloadHash)

/** A stored row of an organisation that is known. */
export type OwnRow = Omit<StoredRow, 'orgId'>

/** Where a page of the chain begins: behind the row of this number. */
interface PageStart {
  readonly orgId: string
  readonly after: number
  readonly limit: number
}

/** A page whose rows follow each other, are what their hashes say, and have their payloads or none. */
export interface GoodPage {
  readonly rows: number
  /** The hash that its first row follows, '' without one: whoever has the page before holds it against that. */
  readonly follows: string
  readonly firstAt: number | undefined
  /** Of its rows, in their order, each of 64 letters: one text travels faster than many. */
  readonly hashes: string
}

/** Of a row without its payload and its organisation, which whoever reads knows. */
export const rowColumns = `seq, at, actor_kind AS "actorKind", actor_id AS "actorId", action, target,
  session_id AS "sessionId", payload_hash AS "payloadHash", prev_hash AS "prevHash", hash`
const rowsText = `SELECT ${rowColumns}
  FROM audit_log WHERE org_id = ? AND seq > ? ORDER BY seq LIMIT ?`
/** Apart from the rows: most have none, and a join asks for each. */
const payloadsText = 'SELECT seq, salt, payload FROM audit_payloads WHERE org_id = ? AND seq > ? AND seq <= ?'

/** Instants as JSON. Rows that follow each other share most of theirs, and making one again is a third of a row's work. */
export const instants = () => {
  let [second, prefix] = [Number.NaN, '']
  return (at: number): string => {
    const of = Math.floor(at / 1000)
    if (of !== second) {
      const text = isoOf(at)
      if (text.length !== 24) return quoted(text)
      ;[second, prefix] = [of, text.slice(0, 20)]
    }
    return `"${prefix}${String(at - of * 1000).padStart(3, '0')}Z"`
  }
}

/**
 * The next rows if they are good; null where anything is not, which is then looked for row by row. Runs where the rows are
 * read.
 */
export const digest: Digest<PageStart, GoodPage | null> = (all, { orgId, after, limit }) => {
  const rows = all<OwnRow>(rowsText, [orgId, after, limit])
  const [first] = rows
  if (!first) return { rows: 0, follows: '', firstAt: undefined, hashes: '' }
  const instant = instants()
  const org = quoted(orgId)
  // Rows are numbered from 1; below it there are none, unless somebody put one there.
  let before = { seq: Math.max(after, 0), hash: first.prevHash }
  let hashes = ''
  for (const row of rows) {
    if (row.seq !== before.seq + 1 || row.prevHash !== before.hash) return null
    // What was found to be a hash needs no escape.
    const prevHash = row === first ? quoted(before.hash) : `"${before.hash}"`
    const apart = { at: instant(row.at), orgId: org, prevHash }
    if (hashOf('sha256', rowText(row, apart), 'hex') !== row.hash) return null
    before = row
    hashes += row.hash
  }
  const payloads = all<{ seq: number; salt: string; payload: string }>(payloadsText, [orgId, after, before.seq])
  for (const { seq, ...beside } of payloads) {
    const row = rows[seq - first.seq]
    if (row && !payloadHolds({ ...beside, payloadHash: row.payloadHash })) return null
  }
  return { rows: rows.length, follows: first.prevHash, firstAt: first.at, hashes }
}
