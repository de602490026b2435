import { createHash } from 'node:crypto'
import { type BodyOf, type EndpointMap, invalid } from '@integrity/protocol'
import { newestStamped, type StampedCheckpoint } from '../../../kernel/audit/audit.timestamp.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { ProviderFailed } from '../../../platform/provider/provider-failed.ts'
import { loadTimestamps } from '../../../platform/timestamps/load-timestamps.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { stampOf } from './stamping.service.ts'
import { findAuthority, saveAuthority } from './timestamps.store.ts'
import type { NamedAuthority, TimeAuthorityRow } from './timestamps.types.ts'

type Body = BodyOf<EndpointMap['portal.timestamps.set']>

export interface Timestamping {
  readonly authority: TimeAuthorityRow | undefined
  readonly stamped: StampedCheckpoint | undefined
}

export const readTimestamping = async (call: Needs<'reader'>, orgId: string): Promise<Timestamping> => ({
  authority: await findAuthority(call.reader, orgId),
  stamped: await newestStamped(call.reader, orgId),
})

const checkAuthority = async (
  { config }: Needs<'config'>,
  { url: text, certificates }: NamedAuthority,
): Promise<void> => {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw invalid('authority.url', 'must not hold a user name or a password')
  if (url.hash !== '') throw invalid('authority.url', 'must have nothing after a #')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && config.webhookAllowPrivate))
    throw invalid('authority.url', 'must begin with https://')
  const { readCertificates } = await loadTimestamps()
  if (certificates !== null && !readCertificates(certificates))
    throw invalid('authority.certificates', 'must be certificates in PEM: -----BEGIN CERTIFICATE-----')
}

/** Asks the authority for one time stamp, of bytes that say nothing, before anybody relies on it. */
export const tryAuthority = async (call: Needs<'config' | 'httpOut'>, { authority }: Body): Promise<void> => {
  if (!authority) return
  await checkAuthority(call, authority)
  try {
    const hash = createHash('sha256').update('a first time stamp\n').digest()
    await stampOf(call, { authority, hash })
  } catch (error) {
    if (error instanceof ProviderFailed) throw invalid('authority.url', error.message)
    throw error
  }
}

export const chooseAuthority = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'tx'>,
  { authority, expectedVersion }: Body,
): Promise<Timestamping> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  checkSeen({ version: (await findAuthority(tx, orgId))?.version ?? 0 }, expectedVersion)
  await saveAuthority(tx, orgId, authority)
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    {
      action: 'audit.time_authority_chosen',
      target: orgId,
      payload: { url: authority?.url ?? null, policy: authority?.policy ?? null },
    },
  )
  return readTimestamping({ reader: tx }, orgId)
}
