import { invalid, maxOwnedOrgs, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf, AuditActor } from '../../../kernel/identity/actor.ts'
import { joinOrg } from '../people/memberships.service.ts'
import { countOwnedForUpdate } from '../people/people.service.ts'
import type { MemberRow } from '../people/people.types.ts'
import { claimSlug, insertOrg, type OrgRow } from './orgs.store.ts'
import { isReserved, slugBase } from './slugs.model.ts'

export interface NewOrg {
  readonly name: string
  /** Made of the name where it says nothing. */
  readonly slug?: string | undefined
  /** The account that becomes its owner; it is there already, or made in the same transaction. */
  readonly ownerId: string
}

const takeSlug = async (call: Needs<'tx'>, orgId: string, { name, slug }: NewOrg): Promise<string> => {
  if (slug !== undefined) {
    if (isReserved(slug)) throw invalid('slug', 'is reserved')
    if (await claimSlug(call.tx, orgId, slug)) return slug
    throw new ServiceError('conflict', 'this slug, or one that reads like it, is taken')
  }
  const base = slugBase(name)
  for (let n = 1; ; n++) {
    const made = n === 1 ? base : `${base}-${n}`
    if (!isReserved(made) && (await claimSlug(call.tx, orgId, made))) return made
  }
}

/** Makes an organisation with its owner: the one way to either. */
export const foundOrg = async (
  call: By<AuditActor> & Needs<'audit' | 'clock' | 'config' | 'keyring' | 'newId' | 'tx'>,
  wanted: NewOrg,
): Promise<{ org: OrgRow; owner: MemberRow }> => {
  const { tx, actor } = call
  const id = call.newId('org')
  const { name, ownerId: userId } = wanted
  const slug = await takeSlug(call, id, wanted)
  const org = {
    id,
    name,
    slug,
    createdAt: call.clock.now(),
    secondFactorRequired: 0,
    ...call.keyring.newOrgIdentity(id),
  }
  await insertOrg(tx, org)
  await call.audit.begin(tx, id)
  const owner = await joinOrg(call, { orgId: id, joining: { userId, role: 'owner' } })
  const payload = { name, email: owner.email }
  await call.audit.append({ tx, scope: { orgId: id }, actor }, { action: 'org.created', target: id, payload })
  return { org, owner }
}

/** Any account makes organisations of its own, of which it owns a limited number. */
export const foundOwnOrg = async (
  call: By<ActorOf<'account'>> & Needs<'audit' | 'clock' | 'config' | 'keyring' | 'newId' | 'tx'>,
  wanted: Omit<NewOrg, 'ownerId'>,
) => {
  const { id } = call.actor
  if ((await countOwnedForUpdate(call, id)) >= maxOwnedOrgs)
    throw new ServiceError('conflict', `an account owns ${maxOwnedOrgs} organisations at most`)
  return foundOrg({ ...call, actor: { kind: 'user', id } }, { ...wanted, ownerId: id })
}
