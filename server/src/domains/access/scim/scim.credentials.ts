import { secretPrefixes } from '@integrity/protocol'
import type { CredentialSource } from '../../../kernel/credential-source.ts'
import { findTokenByHash } from './tokens.store.ts'

/** The tokens of identity providers. What they provision are people, who belong to no environment. */
export const scimCredentials: CredentialSource = {
  owns: (token) => token.startsWith(secretPrefixes.scim),
  async find(reader, hash) {
    const row = await findTokenByHash(reader, hash)
    return row && { actor: { kind: 'scim', ...row, environment: 'live' }, until: Number.POSITIVE_INFINITY }
  },
}
