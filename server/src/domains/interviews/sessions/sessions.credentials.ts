import type { CredentialSource } from '../../../kernel/credential-source.ts'
import { findSessionCredential } from './joining/credentials.store.ts'
import { credentialEndsAt } from './sessions.policy.ts'

/** What agents, phones and rooms hold: whatever no other source owns. */
export const sessionsCredentials: CredentialSource = {
  async find(reader, hash) {
    const found = await findSessionCredential(reader, hash)
    if (!found) return undefined
    const { endedAt, createdAt, revokedAt, ...actor } = found
    const until = credentialEndsAt(actor.kind, { createdAt, endedAt })
    const spent = revokedAt !== null
    // Told to nobody but who holds the secret.
    return { actor, until, spent, ending: spent ? 'released' : endedAt === null ? 'expired' : 'session_ended' }
  },
}
