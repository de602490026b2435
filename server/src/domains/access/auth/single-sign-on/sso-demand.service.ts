import { ServiceError } from '@integrity/protocol'
import { inTx, type Needs } from '../../../../kernel/call.ts'
import { personOf, ssoDemandAcrossOrgs, ssoDemandOfOrg } from '../../../organisation/people/people.service.ts'
import type { SsoDemand, Standing } from '../../../organisation/people/people.types.ts'
import { endSignIn } from '../sign-ins/sign-ins.service.ts'
import { listOpenPortalSessions, pageOfSignedInByPassword } from '../sign-ins/sign-ins.store.ts'

interface Who {
  readonly id: string
  readonly email: string
}

/** Where to go instead: the identity provider, or the directory of this slug. */
const ssoRequired = (call: Needs<'config'>, { orgSlug, kind }: SsoDemand): ServiceError =>
  new ServiceError('forbidden', 'your organisation requires single sign-on: sign in there', {
    extra: {
      reason: 'sso_required',
      method: kind,
      orgSlug,
      ...(kind !== 'ldap' && { url: `${call.config.baseUrl}/v1/auth/sso/${orgSlug}/login` }),
    },
  })

/** Whose organisation requires single sign-on has no use of a password, unless they are an owner of it. */
export const refusePassword = async (call: Needs<'config' | 'tx'>, { id, email }: Who): Promise<void> => {
  const demand = await ssoDemandAcrossOrgs({ reader: call.tx }, { userId: id, email })
  if (demand && demand.role !== 'owner') throw ssoRequired(call, demand)
}

/** Whether a sign-in that began with a password is one that the person's organisation takes no more. */
export const passwordIsOver = async (
  { tx }: Needs<'tx'>,
  { userId, vouchedBy }: { readonly userId: string; readonly vouchedBy: string | null },
): Promise<boolean> => {
  const person = await personOf({ reader: tx }, userId)
  const demand = person && (await ssoDemandAcrossOrgs({ reader: tx }, { userId, email: person.email }))
  return demand !== undefined && demand.role !== 'owner' && demand.orgId !== vouchedBy
}

/** Whether an organisation requires single sign-on of an address. */
type Applies = (email: string) => boolean

/** How many members would be signed out, and how many would go on with their password; no more than so many are looked at. */
export const countSignedInByPassword = async (
  { reader }: Needs<'reader'>,
  { orgId, applies, most }: { readonly orgId: string; readonly applies: Applies; readonly most: number },
): Promise<{ readonly meant: number; readonly others: number }> => {
  const people = await pageOfSignedInByPassword(reader, orgId, '', most)
  const meant = people.filter(({ email }) => applies(email)).length
  return { meant, others: people.length - meant }
}

const pageRows = 100

/** Ends the sign-ins by a password of members, but of owners. */
export const endPasswordSignIns = async (
  call: Needs<'audit' | 'clock' | 'credentials' | 'db' | 'reader'>,
  { orgId, applies }: { readonly orgId: string; readonly applies: Applies },
): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const people = await pageOfSignedInByPassword(call.reader, orgId, after, pageRows)
    const meant = people.filter(({ email }) => applies(email))
    await call.db.transact(async (tx) => {
      for (const { userId } of meant)
        for (const { id, vouchedBy } of await listOpenPortalSessions(tx, userId))
          if (vouchedBy !== orgId) await endSignIn(inTx(call, tx), { id, reason: 'sso_required' })
    })
    after = people.length < pageRows ? undefined : people.at(-1)?.userId
  }
}

/** Who joins an organisation by a password, though it requires single sign-on of the addresses of its domains. */
export const refuseJoining = async (
  call: Needs<'config' | 'reader'>,
  { orgId, email, role }: { readonly orgId: string; readonly email: string; readonly role: string },
): Promise<void> => {
  const demand = await ssoDemandOfOrg(call, { orgId, email })
  if (demand && role !== 'owner') throw ssoRequired(call, { ...demand, role })
}

/**
 * Refuses a member's sign-in that the organisation does not vouch for, where it requires single sign-on of them: however long
 * ago that sign-in began, and whatever made them a member meanwhile.
 */
export const refuseWithoutSso = async (
  call: Needs<'config' | 'reader'>,
  { standing: { orgId, role, requiresSso }, email }: { readonly standing: Standing; readonly email: string },
): Promise<void> => {
  if (requiresSso === 1 && role !== 'owner') await refuseJoining(call, { orgId, email, role })
}

/** Owners keep their password as the way back in; every owner is told of it. */
export const notePassword = async (call: Needs<'audit' | 'jobs' | 'tx'>, { id, email }: Who): Promise<void> => {
  const { tx } = call
  const demand = await ssoDemandAcrossOrgs({ reader: tx }, { userId: id, email })
  if (!demand) return
  const scope = { orgId: demand.orgId }
  const actor = { kind: 'user', id } as const
  await call.audit.append({ tx, scope, actor }, { action: 'sso.password_used', target: id })
  const payload = { orgId: demand.orgId, userId: id }
  await call.jobs.enqueue(
    { ...call, scope: { ...scope, environment: 'live' } },
    { kind: 'auth.sso_password_used', payload },
  )
}
