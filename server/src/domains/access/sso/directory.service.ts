import { type ldapLogin, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../kernel/call.ts'
import type { Caller } from '../../../kernel/sign-ins.ts'
import { LdapError } from '../../../platform/ldap/ldap-error.ts'
import { forgetAttempts, takeDirectoryAttempt } from '../auth/sign-ins/login.service.ts'
import { type Entered, enterBySso } from './entering.service.ts'
import { connectionSecretOf, type SsoOrg, ssoOrgOf } from './sso.service.ts'
import type { ConnectionRow, LdapSettings, SsoCheck, SsoPerson } from './sso.types.ts'

const settingsOf = (call: Needs<'keyring'>, orgId: string, connection: ConnectionRow<LdapSettings>) => ({
  ...connection.settings,
  bindPassword: connectionSecretOf(call, { orgId, connection }),
})

/** Tries a directory, step by step. */
export const probeDirectory = (
  call: Needs<'keyring' | 'ldap'>,
  { orgId, connection }: { readonly orgId: string; readonly connection: ConnectionRow<LdapSettings> },
): Promise<SsoCheck[]> => call.ldap.probe(settingsOf(call, orgId, connection))

/** One answer for a wrong name, a wrong password, and an organisation without a directory. */
const refused = () =>
  new ServiceError('unauthorized', 'the name or the password is wrong', { headers: { 'WWW-Authenticate': 'Bearer' } })

type Body = z.output<typeof ldapLogin>
type Proves = Needs<'clock' | 'config' | 'db' | 'failures' | 'keyring' | 'ldap' | 'reader' | 'signInTurns'> &
  Pick<Caller, 'address'>

/** Names of attempts: an address has no colon, a slug neither. */
const attemptsOf = ({ orgSlug, username }: Body): string => `${orgSlug}:${username.trim().toLowerCase()}`

export interface ProvenPerson {
  readonly org: SsoOrg<LdapSettings>
  readonly who: SsoPerson
}

const ask = async (call: Proves, org: SsoOrg<LdapSettings>, { username, password }: Body): Promise<SsoPerson> => {
  const { settings } = org.connection
  const person = await call.ldap.signIn(settingsOf(call, org.orgId, org.connection), username.trim(), password)
  return {
    issuer: settings.url,
    subject: person.id,
    email: person.email ?? '',
    name: person.name,
    roleValues: person.groups,
  }
}

/** Before the transaction: whom the directory knows by this name and password. What is out of order there has its own words. */
export const proveInDirectory = async (call: Proves, body: Body): Promise<ProvenPerson> => {
  const { address } = call
  const found = await ssoOrgOf(call, body.orgSlug)
  const look = async (): Promise<ProvenPerson> => {
    await takeDirectoryAttempt(call, { name: attemptsOf(body), address })
    try {
      if (found?.connection.settings.kind !== 'ldap') throw new LdapError('credentials')
      const org = found as SsoOrg<LdapSettings>
      return { org, who: await ask(call, org, body) }
    } catch (error) {
      if (!(error instanceof LdapError)) throw error
      if (error.fault !== 'credentials') throw new ServiceError('service_unavailable', error.message, { cause: error })
      throw refused()
    }
  }
  return call.signInTurns.run(address, () => call.failures.guessPassword(address, look))
}

/** In the transaction: signs in. */
export const enterByDirectory = async (
  call: Parameters<typeof enterBySso>[0],
  { body, proven: { org, who } }: { readonly body: Body; readonly proven: ProvenPerson },
): Promise<Entered> => {
  await forgetAttempts(call, { email: attemptsOf(body), place: call.address })
  return enterBySso(call, { orgId: org.orgId, connection: org.connection, who })
}
