import { ServiceError } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import { ssoDemandAcrossOrgs, ssoDemandOfOrg } from '../people/people.service.ts'
import type { SsoDemand } from '../people/people.types.ts'

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
      ...(kind === 'saml' && { url: `${call.config.baseUrl}/v1/auth/sso/${orgSlug}/login` }),
    },
  })

/** Whose organisation requires single sign-on has no use of a password, unless they are an owner of it. */
export const refusePassword = async (call: Needs<'config' | 'tx'>, { id, email }: Who): Promise<void> => {
  const demand = await ssoDemandAcrossOrgs({ reader: call.tx }, id, email)
  if (demand && demand.role !== 'owner') throw ssoRequired(call, demand)
}

/** Who joins an organisation by a password, though it requires single sign-on of the addresses of its domains. */
export const refuseJoining = async (
  call: Needs<'config' | 'reader'>,
  orgId: string,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<void> => {
  const demand = await ssoDemandOfOrg(call, orgId, email)
  if (demand && role !== 'owner') throw ssoRequired(call, { ...demand, role })
}

/** Owners keep their password as the way back in; every owner is told of it. */
export const notePassword = async (call: Needs<'audit' | 'jobs' | 'tx'>, { id, email }: Who): Promise<void> => {
  const { tx } = call
  const demand = await ssoDemandAcrossOrgs({ reader: tx }, id, email)
  if (!demand) return
  const scope = { orgId: demand.orgId }
  const actor = { kind: 'user', id } as const
  await call.audit.append({ tx, scope, actor }, { action: 'sso.password_used', target: id })
  const payload = { orgId: demand.orgId, userId: id }
  await call.jobs.enqueue({ tx, scope: { ...scope, environment: 'live' } }, { kind: 'auth.sso_password_used', payload })
}
