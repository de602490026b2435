// Generated from the folders of the domains by `npm run generate`.
import { scimCredentials } from '../../domains/access/scim/scim.credentials.ts'
import { linksCredentials } from '../../domains/candidates/links/links.credentials.ts'
import { atsCredentials } from '../../domains/integrations/ats/ats.credentials.ts'
import { sessionsCredentials } from '../../domains/interviews/sessions/sessions.credentials.ts'
import { apiKeysCredentials } from '../../domains/organisation/api-keys/api-keys.credentials.ts'
import type { CredentialSource } from '../../kernel/credential-source.ts'

/** Every kind of bearer credential. */
export const credentialSources: readonly CredentialSource[] = [
  scimCredentials,
  linksCredentials,
  atsCredentials,
  sessionsCredentials,
  apiKeysCredentials,
]
