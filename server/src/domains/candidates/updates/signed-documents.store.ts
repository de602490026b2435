import type { Reader, Tx } from '../../../platform/db/types.ts'

/** `update_manifest:APP:CHANNEL` or `security_policy`: within one, sequences only grow. */
export type Series = string

export interface SignedDocumentRow {
  readonly series: Series
  readonly sequence: number
  /** The exact text that was signed. */
  readonly document: string
  /** The text of the `.minisig` file. */
  readonly signature: string
  readonly keyId: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly publishedAt: number
}

const columns = `series, sequence, document, signature, key_id AS "keyId", issued_at AS "issuedAt",
  expires_at AS "expiresAt", published_at AS "publishedAt"`

/** The one in force. These documents belong to the operator of the whole service, to no organisation. */
export const findNewestOfOperator = (reader: Reader, series: Series): Promise<SignedDocumentRow | undefined> =>
  reader.get<SignedDocumentRow>(
    `SELECT ${columns} FROM signed_documents WHERE series = ? ORDER BY sequence DESC LIMIT 1`,
    [series],
  )

/** The one in force of every series. */
export const listNewestOfOperator = (reader: Reader): Promise<SignedDocumentRow[]> =>
  reader.all<SignedDocumentRow>(
    `SELECT ${columns} FROM signed_documents d WHERE sequence =
       (SELECT max(sequence) FROM signed_documents n WHERE n.series = d.series) ORDER BY series`,
  )

/** Stores a document; false when one with this or a later sequence exists. */
export const insertForOperator = async (tx: Tx, row: SignedDocumentRow): Promise<boolean> => {
  const newest = await findNewestOfOperator(tx, row.series)
  if (newest && newest.sequence >= row.sequence) return false
  const { changes } = await tx.run(
    `INSERT INTO signed_documents (series, sequence, document, signature, key_id, issued_at, expires_at, published_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [row.series, row.sequence, row.document, row.signature, row.keyId, row.issuedAt, row.expiresAt, row.publishedAt],
  )
  return changes === 1
}
