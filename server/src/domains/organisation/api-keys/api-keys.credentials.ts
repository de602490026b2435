import type { CredentialSource } from '../../../kernel/credential-source.ts'
import { findKey, findLivingKeyByHash } from './api-keys.store.ts'

/** API keys of both environments. */
export const apiKeysCredentials: CredentialSource = {
  owns: (token) => token.startsWith('sk_'),
  async find(reader, hash) {
    const key = await findLivingKeyByHash(reader, hash)
    if (!key) return undefined
    const { id, orgId, environment, label, scopes } = key
    const actor = { kind: 'api_key', id, orgId, environment, label, scopes } as const
    return { actor, until: Number.POSITIVE_INFINITY }
  },
  async stillHolds(reader, { orgId, id, since }) {
    const key = await findKey(reader, orgId, id)
    return key !== undefined && key.revokedAt === null && (key.rotatedAt ?? 0) <= since
  },
}
