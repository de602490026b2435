import { createHash, hash, randomBytes } from 'node:crypto'
import { canonicalize } from '../../platform/canonical-json.ts'

/** What a row of the chain commits to. Instants are ISO 8601 UTC with milliseconds. */
export interface AuditRow {
  readonly orgId: string
  readonly seq: number
  readonly at: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly action: string
  readonly target: string
  readonly sessionId: string | null
  readonly payloadHash: string | null
  readonly prevHash: string
}

/** `prevHash` of an organisation's first row. */
export const genesisHash = '0'.repeat(64)

const plain = /^[ !#-[\]-~]*$/

/** A text as JSON has it; those that need no escape are most, and quicker so. */
export const quoted = (text: string | null): string =>
  typeof text === 'string' && plain.test(text) ? `"${text}"` : JSON.stringify(text)

/** The same for texts of which neighbours often have the same. */
const repeated = () => {
  let [last, json]: [string | null, string] = [null, 'null']
  return (text: string | null): string => {
    if (text !== last) [last, json] = [text, quoted(text)]
    return json
  }
}
const [actionText, kindText] = [repeated(), repeated()]

/** A row as its columns stand, but for what is given apart. */
export interface RowColumns extends Omit<AuditRow, 'actor' | 'at' | 'orgId' | 'prevHash'> {
  readonly actorKind: string
  readonly actorId: string
}

/** The canonical row; what is apart is JSON already. */
export const rowText = (
  row: RowColumns,
  { at, orgId, prevHash }: Record<'at' | 'orgId' | 'prevHash', string>,
): string =>
  `{"action":${actionText(row.action)},"actor":{"id":${quoted(row.actorId)},"kind":${kindText(row.actorKind)}},"at":${at},"orgId":${orgId},"payloadHash":${quoted(row.payloadHash)},"prevHash":${prevHash},"seq":${row.seq},"sessionId":${quoted(row.sessionId)},"target":${quoted(row.target)}}`

/**
 * The RFC 8785 form of a row. Its members are strings, integers and null, for which JSON over members in sorted order is
 * already that form (RFC 8785, section 3.2); a test holds it to the general implementation.
 */
export const canonicalRow = ({ actor, at, orgId, prevHash, ...row }: AuditRow): string =>
  rowText(
    { ...row, actorKind: actor.kind, actorId: actor.id },
    { at: quoted(at), orgId: quoted(orgId), prevHash: quoted(prevHash) },
  )

/** SHA-256 in hex over the canonical row. */
export const rowHash = (row: AuditRow): string => hash('sha256', canonicalRow(row), 'hex')

/** SHA-256(salt ‖ payload): the row commits to a payload that may later be erased together with its salt. */
export const payloadHash = (salt: Uint8Array, payload: string): string =>
  createHash('sha256').update(salt).update(payload, 'utf8').digest('hex')

/** A payload ready to be stored: canonical text, random salt, and the hash that the row commits to. */
export const sealPayload = (payload: Readonly<Record<string, unknown>>) => {
  const salt = randomBytes(16)
  const text = canonicalize(payload)
  return { salt: salt.toString('hex'), text, hash: payloadHash(salt, text) }
}
