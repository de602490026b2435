import { quoted, rowText } from '../../../kernel/audit/audit.chain.ts'
import { instants, type OwnRow } from '../../../kernel/audit/audit.digest.ts'
import type { Digest, Param } from '../../../platform/db/types.ts'

/** The statement for a stretch of rows, without their payloads, which lie within `orgId`, `after` < seq ≤ `upTo`. */
export interface TextOf {
  readonly sql: string
  readonly params: readonly Param[]
  readonly orgId: string
  readonly after: number
  readonly upTo: number
}

/** A stretch as lines of the export. */
export interface ExportText {
  readonly text: string
  readonly rows: number
  /** The last row of it. */
  readonly last: OwnRow | undefined
}

export interface StoredPayload {
  readonly seq: number
  readonly salt: string | null
  readonly payload: string | null
}

/** Apart from the rows: most have none, and a join asks for each. */
export const payloadsText =
  'SELECT seq, salt, payload FROM audit_payloads WHERE org_id = ? AND seq > ? AND seq <= ? AND payload IS NOT NULL'

/** The row stands there as it was hashed, and its payload as it was salted: both are canonical already. */
export const textOf = (orgId: string, rows: readonly OwnRow[], payloads: readonly StoredPayload[]): ExportText => {
  const instant = instants()
  const org = quoted(orgId)
  const bySeq = new Map(payloads.map((payload) => [payload.seq, payload]))
  let text = ''
  for (const row of rows) {
    const { payload = null, salt = null } = bySeq.get(row.seq) ?? {}
    const beside = payload === null || salt === null ? '' : `,"payload":${payload},"salt":${JSON.stringify(salt)}`
    const apart = { at: instant(row.at), orgId: org, prevHash: JSON.stringify(row.prevHash) }
    text += `{"type":"row","row":${rowText(row, apart)}${beside}}\n`
  }
  return { text, rows: rows.length, last: rows.at(-1) }
}

/** Runs where the rows are read: a page travels as one text instead of as many rows. */
export const digest: Digest<TextOf, ExportText> = (all, { sql, params, orgId, after, upTo }) =>
  textOf(orgId, all<OwnRow>(sql, params), all<StoredPayload>(payloadsText, [orgId, after, upTo]))
