import type { RecentRequest } from '../../../kernel/recent-requests/recent-requests.store.ts'
import type { KeyRow } from './api-keys.store.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

const makerOf = (createdBy: string | null) => {
  if (createdBy === null) return null
  const at = createdBy.indexOf(':')
  return { kind: createdBy.slice(0, at), id: createdBy.slice(at + 1) }
}

/** One shape for lists and single keys; neither the secret nor its hash is part of it. */
export const keyView = (key: KeyRow, lastUsedAt: number | undefined) => ({
  id: key.id,
  label: key.label,
  environment: key.environment,
  scopes: key.scopes,
  prefix: key.prefix,
  status: key.revokedAt === null ? ('active' as const) : ('revoked' as const),
  createdAt: iso(key.createdAt),
  createdBy: makerOf(key.createdBy),
  rotatedAt: isoOrNull(key.rotatedAt),
  revokedAt: isoOrNull(key.revokedAt),
  lastUsedAt: isoOrNull(lastUsedAt ?? null),
})

export const requestView = ({ at, method, path, status, durationMs, requestId, errorCode }: RecentRequest) => ({
  at: iso(at),
  method,
  path,
  status,
  ms: durationMs,
  requestId,
  errorCode,
})
