import { X509Certificate } from 'node:crypto'
import { ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { findConnection, saveTest } from './connections.store.ts'
import { probeDirectory } from './directory.service.ts'
import { probeOidc } from './oidc.service.ts'
import { foretell } from './requiring.service.ts'
import type { ConnectionRow, LdapSettings, OidcSettings, SamlSettings, SsoCheck, SsoTestRow } from './sso.types.ts'

type Tests = By<ActorOf<'user'>> & Needs<'clock' | 'config' | 'httpOut' | 'keyring' | 'ldap' | 'oidc' | 'reader'>

const warnDays = 30
const dayMs = 86_400_000

/** Fails unless a certificate is valid now; one that expires soon is reported and does not fail. */
const checkCertificates = (pems: readonly string[], now: number): SsoCheck => {
  const name = 'certificates'
  const ends = pems
    .map((pem) => new X509Certificate(pem))
    .filter(({ validFromDate, validToDate }) => validFromDate.getTime() <= now && now < validToDate.getTime())
    .map(({ validToDate }) => validToDate.getTime())
  if (ends.length === 0) return { name, ok: false, message: 'no certificate is in force at this time' }
  const days = Math.floor((Math.max(...ends) - now) / dayMs)
  return { name, ok: true, ...(days < warnDays && { message: `the last one is over in ${days} days` }) }
}

const timeoutMs = 4000

/** That somebody answers there. What is answered without a request of SAML is the provider's own matter. */
const checkAddress = async (call: Tests, name: string, url: string): Promise<SsoCheck> => {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { statusCode, body } = await call.httpOut.request(url, {
      method: 'GET',
      headers: {},
      signal,
      silenceMs: timeoutMs,
    })
    await body.dump()
    return statusCode < 500 ? { name, ok: true } : { name, ok: false, message: `it answers ${statusCode}` }
  } catch {
    return { name, ok: false, message: 'it does not answer this service' }
  }
}

const probeSaml = async (call: Tests, settings: SamlSettings): Promise<SsoCheck[]> => [
  checkCertificates(settings.idpCertificates, call.clock.now()),
  await checkAddress(call, 'sign_in_address', settings.idpSsoUrl),
]

export interface Tested {
  readonly connection: ConnectionRow
  readonly test: SsoTestRow
}

const probe = (call: Tests, orgId: string, connection: ConnectionRow): Promise<SsoCheck[]> => {
  const { settings } = connection
  if (settings.kind === 'saml') return probeSaml(call, settings)
  if (settings.kind === 'ldap')
    return probeDirectory(call, { orgId, connection: connection as ConnectionRow<LdapSettings> })
  return probeOidc(call, { orgId, connection: connection as ConnectionRow<OidcSettings> })
}

/** Before the transaction: tries what is configured. */
export const testConnection = async (call: Tests): Promise<Tested> => {
  const { orgId } = call.actor
  const connection = await findConnection(call.reader, orgId)
  if (!connection)
    throw new ServiceError('conflict', 'there is no connection yet: set one first', {
      extra: { reason: 'no_connection' },
    })
  const checks = await probe(call, orgId, connection)
  checks.push(await foretell(call, orgId))
  return { connection, test: { ok: checks.every(({ ok }) => ok), checks, testedAt: call.clock.now() } }
}

/** In the transaction: what was found is kept with the connection it was found of. */
export const keepTest = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'tx'>,
  { connection, test }: Tested,
): Promise<SsoTestRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await saveTest(tx, orgId, connection.updatedAt, test)
  const payload = { ok: test.ok, failed: test.checks.filter(({ ok }) => !ok).map(({ name }) => name) }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'sso.tested', target: orgId, payload })
  return test
}
