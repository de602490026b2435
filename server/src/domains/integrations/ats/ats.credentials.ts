import { secretPrefixes } from '@integrity/protocol'
import type { CredentialSource } from '../../../kernel/credential-source.ts'
import { findConnectionByKey } from './connections.store.ts'

/** The keys with which Greenhouse asks for assessments. Candidates are real: they belong to the live environment. */
export const atsCredentials: CredentialSource = {
  owns: (token) => token.startsWith(secretPrefixes.assessment),
  async find(reader, hash) {
    const row = await findConnectionByKey(reader, hash)
    return row && { actor: { kind: 'assessment', ...row, environment: 'live' }, until: Number.POSITIVE_INFINITY }
  },
}
