import { linkKinds, secretPrefixes } from '@integrity/protocol'
import type { CredentialSource } from '../../../kernel/credential-source.ts'
import { findLinkByHash } from './links.store.ts'

/** Links that were sent by e-mail. */
export const linksCredentials: CredentialSource = {
  owns: (token) => linkKinds.some((kind) => token.startsWith(secretPrefixes[kind])),
  async find(reader, hash) {
    const row = await findLinkByHash(reader, hash)
    if (!row) return undefined
    const { orgId, environment, id, sessionId, kind, subjectId, origin } = row
    return {
      actor: { kind: 'link', link: kind, id, orgId, environment, sessionId, subjectId, label: origin },
      until: row.expiresAt,
      spent: row.endedAt !== null,
      ending: row.endReason ?? 'expired',
    }
  },
}
