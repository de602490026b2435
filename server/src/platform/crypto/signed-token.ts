import { createHmac, type KeyObject } from 'node:crypto'
import { constantTimeEqual } from './secrets.ts'

const prefix = 'dlt_'
const maxCharacters = 1024

/** What a download token allows: the bytes of one object of one organisation, until an instant. */
export interface DownloadGrant {
  readonly objectId: string
  readonly orgId: string
  /** Epoch milliseconds; from this instant on the token is expired. */
  readonly expiresAt: number
  /** What the object is, so that a token of one kind never opens another (`evidence`, `export`, …). */
  readonly kind: string
  /** Who asked for it, and when (epoch ms). */
  readonly by?: { readonly kind: string; readonly id: string; readonly madeAt: number }
}

/** What asks for most tokens; the others say what they are. */
const usualKind = 'api_key'

/**
 * A self-contained token: `dlt_`, the grant as base64url JSON, a dot, HMAC-SHA256 over everything before the dot.
 * The key comes from `keyring.deriveKey('download-token')`. Safe in a URL.
 */
export const sign = (grant: DownloadGrant, key: KeyObject): string => {
  const fields = [grant.kind, grant.orgId, grant.objectId, grant.expiresAt]
  if (grant.by) fields.push(grant.by.id, grant.by.madeAt)
  if (grant.by && grant.by.kind !== usualKind) fields.push(grant.by.kind)
  const body = prefix + Buffer.from(JSON.stringify(fields)).toString('base64url')
  const token = `${body}.${mac(body, key)}`
  if (token.length > maxCharacters) throw new RangeError('the grant does not fit into a token')
  return token
}

/** The grant of a token made with this key; `expired` exactly when `now` (epoch ms) has reached its `expiresAt`. */
export const verify = (token: string, key: KeyObject, now: number): DownloadGrant | 'expired' | 'invalid' => {
  const dot = token.lastIndexOf('.')
  if (token.length > maxCharacters || dot < 0 || !token.startsWith(prefix)) return 'invalid'
  const body = token.slice(0, dot)
  // Compared as text: base64url has several spellings of the same bytes, and only ours is accepted.
  if (!constantTimeEqual(token.slice(dot + 1), mac(body, key))) return 'invalid'
  const grant = parseGrant(body.slice(prefix.length))
  if (!grant) return 'invalid'
  return now >= grant.expiresAt ? 'expired' : grant
}

const mac = (body: string, key: KeyObject): string => createHmac('sha256', key).update(body).digest('base64url')

const parseGrant = (text: string): DownloadGrant | undefined => {
  const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  if (!Array.isArray(fields) || ![4, 6, 7].includes(fields.length)) return undefined
  const [kind, orgId, objectId, expiresAt, id, madeAt, byKind = usualKind] = fields as unknown[]
  if (typeof kind !== 'string' || typeof orgId !== 'string' || typeof objectId !== 'string') return undefined
  if (typeof expiresAt !== 'number') return undefined
  const grant = { objectId, orgId, expiresAt, kind }
  if (fields.length === 4) return grant
  if (typeof id !== 'string' || typeof madeAt !== 'number' || typeof byKind !== 'string') return undefined
  return { ...grant, by: { kind: byKind, id, madeAt } }
}
