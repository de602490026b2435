import {
  type BuiltInRole,
  consentLocaleFor,
  inviteDays,
  maxPendingInvites,
  notFound,
  ServiceError,
  secretPrefixes,
} from '@integrity/protocol'
import { takeMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { newSecret } from '../../../platform/crypto/secrets.ts'
import { checkGives, checkGivesRole, checkReaches } from '../../organisation/people/guards.policy.ts'
import { lockGiver, lockPeople } from '../../organisation/people/guards.service.ts'
import { refuseMember } from '../../organisation/people/memberships.service.ts'
import type { HeldRole } from '../../organisation/people/people.types.ts'
import { countInvites, type InviteFilters, pageOfInvites } from './invites.list.store.ts'
import { refuseOver } from './invites.policy.ts'
import {
  closeExpiredInvites,
  endInvite,
  findInvite,
  findOfferedRole,
  findOpenInvite,
  insertInvite,
  listOrgsWithLateInvitesAcrossOrgs,
  prolongInvite,
  replaceLink,
} from './invites.store.ts'
import type { InviteRow } from './invites.types.ts'

const lifetimeMs = inviteDays * 24 * 3_600_000

type Change = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'newId' | 'tx'>
type Mails = Needs<'jobs' | 'keyring' | 'scope'>

/** A page of invites, newest first, and how many there are in all. */
export const listInvites = async (
  call: Needs<'clock' | 'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: PageQuery & InviteFilters },
) => {
  const { reader } = call
  const { status } = query
  const filters = { status, now: call.clock.now() }
  const list: List<InviteRow> = {
    of: ['invites', orgId, status ?? null],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfInvites(reader, orgId, filters, stretch),
  }
  return { page: await readPage(list, query), total: await countInvites(reader, orgId, filters) }
}

const getInvite = async (call: Needs<'tx'>, orgId: string, id: string): Promise<InviteRow> => {
  const invite = await findInvite(call.tx, orgId, id)
  if (!invite) throw notFound('invite')
  return invite
}

/** A new link, which is mailed; the one before ends. */
const sendLink = async (call: Change & Mails, { id, email }: Pick<InviteRow, 'id' | 'email'>): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  await takeMail(call, { orgId, email })
  const { token, hash } = newSecret(secretPrefixes.invite)
  const linkId = call.newId('inl')
  await replaceLink(tx, { orgId, linkId, inviteId: id }, { tokenHash: hash, now: call.clock.now() })
  const wrapped = call.keyring.wrap(Buffer.from(token), linkContext(linkId))
  await call.jobs.enqueue(call, { kind: 'invite.mail', payload: { inviteId: id, linkId, wrapped } })
}

const linkContext = (linkId: string): string => `invite_link:${linkId}`

/** The token as a job keeps it: readable with the master key alone. */
export const unwrapToken = (
  call: Needs<'keyring'>,
  { linkId, wrapped }: { readonly linkId: string; readonly wrapped: string },
): string => call.keyring.unwrap(wrapped, linkContext(linkId)).toString()

export interface NewInvite {
  readonly email: string
  readonly role: BuiltInRole
  readonly customRoleId?: string | undefined
  readonly message?: string | undefined
  readonly locale?: string | undefined
}

const offered = async (call: Change, { role, customRoleId }: NewInvite): Promise<HeldRole> => {
  if (customRoleId === undefined) return { role, customRoleId: null, customPermissions: null }
  const custom = await findOfferedRole(call.tx, call.actor.orgId, customRoleId)
  if (!custom) throw notFound('role')
  if (role === 'owner') throw new ServiceError('conflict', 'an owner holds every permission: leave customRoleId out')
  return { role, customRoleId, customPermissions: custom.permissions }
}

const refuseSecond = async (call: Change, email: string): Promise<void> => {
  const { tx } = call
  const { orgId } = call.actor
  const now = call.clock.now()
  await refuseMember(call, { orgId, email })
  await closeExpiredInvites(tx, orgId, now)
  const open = await findOpenInvite(tx, orgId, email)
  if (open) throw new ServiceError('conflict', `this address has a pending invite: ${open.id}; send that one again`)
  if ((await countInvites(tx, orgId, { status: 'pending', now })) >= maxPendingInvites)
    throw new ServiceError('conflict', `${maxPendingInvites} invites are pending, which is the limit; revoke some`)
}

/** Invites an address, whether or not it has an account: here that makes no difference. */
export const createInvite = async (call: Change & Mails, input: NewInvite): Promise<InviteRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'member.manage')
  if (input.customRoleId !== undefined) checkGives(giver, ['role.manage'])
  const held = await offered(call, input)
  checkGivesRole(giver, held)
  await refuseSecond(call, input.email)
  const { email, role, message = null, locale } = input
  const id = call.newId('inv')
  const createdAt = call.clock.now()
  const times = { createdAt, expiresAt: createdAt + lifetimeMs }
  const { customRoleId } = held
  const words = { message, locale: consentLocaleFor(locale) }
  await insertInvite(tx, orgId, { id, email, role, customRoleId, ...words, invitedBy: actor.id, ...times })
  await sendLink(call, { id, email })
  const payload = { email, role, customRoleId }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'invite.created', target: id, payload })
  return getInvite(call, orgId, id)
}

/** Mails a pending invite again, with a new link. Whoever does it gives the role, as with the first. */
export const resendInvite = async (call: Change & Mails, id: string): Promise<InviteRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'member.manage')
  const invite = await getInvite(call, orgId, id)
  checkGivesRole(giver, invite)
  const now = call.clock.now()
  refuseOver(invite, now)
  await prolongInvite(tx, orgId, { id, expiresAt: now + lifetimeMs, givenBy: actor.id })
  await sendLink(call, invite)
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'invite.resent', target: id })
  return getInvite(call, orgId, id)
}

/** Ends the link of a pending invite; again, it answers the same. */
export const revokeInvite = async (call: Change, id: string): Promise<{ id: string; revokedAt: number }> => {
  const { tx, actor } = call
  const { orgId } = actor
  const giver = await lockGiver(call, 'member.manage')
  const invite = await getInvite(call, orgId, id)
  checkReaches(giver, invite)
  const now = call.clock.now()
  const again = invite.state === 'revoked'
  if (!again) {
    refuseOver(invite, now)
    await endInvite(tx, orgId, id, { state: 'revoked', now })
  }
  const payload = { again }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'invite.revoked', target: id, payload })
  return { id, revokedAt: again ? (invite.endedAt ?? now) : now }
}

const pageRows = 100

/** Closes what has expired, an organisation at a time: its counts are changed under its lock. */
export const closeLateInvites = async ({ db, clock }: Needs<'clock' | 'db'>): Promise<void> => {
  const now = clock.now()
  for (let full = true; full; ) {
    const late = await listOrgsWithLateInvitesAcrossOrgs(db.reader, now, pageRows)
    for (const { orgId } of late)
      await db.transact(async (tx) => {
        await lockPeople({ tx }, orgId)
        await closeExpiredInvites(tx, orgId, now)
      })
    full = late.length === pageRows
  }
}
