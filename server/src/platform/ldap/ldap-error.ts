import { ResultCodeError } from 'ldapts'
import { BlockedTarget } from '../http-out/guarded-connector.ts'

/** Why a directory was of no use, each with words for who has set it up; never with what the directory said. */
const ldapFaults = {
  blocked: 'the address of the directory is in a private network, and this service connects to none',
  insecure: 'passwords are only sent over ldaps or StartTLS',
  unreachable: 'the directory cannot be reached',
  slow: 'the directory did not answer in time',
  tls: 'the certificate of the directory is not trusted, or not for this name',
  bind_refused: 'the directory refuses the service account',
  no_base: 'there is no such base, or the service account cannot see it',
  bad_filter: 'the filter cannot be read',
  referral: 'the directory refers to another server, which is not followed',
  limit: 'the directory gives fewer entries than are needed',
  ambiguous: 'the filter finds more than one person',
  credentials: 'the name or the password is not right',
  trouble: 'the directory answered with an error',
} as const
export type LdapFault = keyof typeof ldapFaults

export class LdapError extends Error {
  override readonly name = 'LdapError'
  readonly fault: LdapFault
  constructor(fault: LdapFault, options?: ErrorOptions) {
    super(ldapFaults[fault], options)
    this.fault = fault
  }
}

/** Result codes of RFC 4511, section 4.1.9. */
const ofResult: Readonly<Record<number, LdapFault>> = {
  3: 'slow',
  4: 'limit',
  8: 'insecure',
  10: 'referral',
  11: 'limit',
  13: 'insecure',
  32: 'no_base',
  34: 'no_base',
  48: 'bind_refused',
  49: 'bind_refused',
  50: 'bind_refused',
  51: 'unreachable',
  52: 'unreachable',
  53: 'bind_refused',
}

const aboutTls = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/
const aboutNetwork = /^(ECONN|ENOTFOUND|EHOST|ENET|EPIPE|ETIMEDOUT|EAI_|ESERVFAIL|ENODATA|EREFUSED)/

/** The kind of an LDAP error, by the names above. */
export const ldapErrorOf = (error: unknown): LdapError => {
  if (error instanceof LdapError) return error
  if (error instanceof BlockedTarget) return new LdapError('blocked', { cause: error })
  if (error instanceof ResultCodeError) return new LdapError(ofResult[error.code] ?? 'trouble', { cause: error })
  const { code, message } = error as { code?: unknown; message?: unknown }
  const name = typeof code === 'string' ? code : ''
  if (aboutTls.test(name)) return new LdapError('tls', { cause: error })
  const isGone = aboutNetwork.test(name) || /closed|not established|ended/i.test(String(message))
  return new LdapError(isGone ? 'unreachable' : 'trouble', { cause: error })
}
