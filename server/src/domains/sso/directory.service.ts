import type { Needs } from '../../kernel/call.ts'
import { bindPasswordOf } from './sso.service.ts'
import type { ConnectionRow, LdapSettings, SsoCheck } from './sso.types.ts'

/** Tries a directory, step by step. */
export const probeDirectory = (
  call: Needs<'keyring' | 'ldap'>,
  orgId: string,
  connection: ConnectionRow<LdapSettings>,
): Promise<SsoCheck[]> =>
  call.ldap.probe({ ...connection.settings, bindPassword: bindPasswordOf(call, orgId, connection) })
