import { type AuditAction, accessSeconds, maxSignIns, refreshSeconds, secretPrefixes } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import { deleteInPages } from '../../../../kernel/jobs/delete-in-pages.ts'
import type { Caller, IssuedTokens } from '../../../../kernel/sign-ins.ts'
import { newSecret } from '../../../../platform/crypto/secrets.ts'
import { membershipsAcrossOrgs, personOf } from '../../../organisation/people/people.service.ts'
import { identityView } from '../auth.view.ts'
import { hasAgreed } from '../single-sign-on/vouching.store.ts'
import {
  deleteEmptyPortalSessions,
  deleteExpiredTokens,
  type EndReason,
  endPortalSession,
  insertPortalSession,
  insertPortalToken,
  listOpenPortalSessions,
  listSurplusSessions,
  lockPortalSession,
  touchPortalSession,
} from './sign-ins.store.ts'

/** Who somebody is, with their active memberships: of the one organisation in which the sign-in counts, or of all. */
export const identityOf = async (
  call: Needs<'reader'>,
  { userId, onlyIn }: { readonly userId: string; readonly onlyIn: string | null },
) => {
  const { reader } = call
  const person = await personOf({ reader }, userId)
  if (!person) throw new Error(`user ${userId} vanished`)
  const all = await membershipsAcrossOrgs({ reader }, userId)
  return identityView(
    person,
    all.filter(({ orgId }) => onlyIn === null || orgId === onlyIn),
  )
}

interface AuditSignInInput {
  readonly userId: string
  readonly action: AuditAction
  readonly portalSessionId: string
  readonly vouchedBy?: string | null
  readonly provider?: string | null
}

/**
 * Notes it in the chain of every organisation where the sign-in counts and the person is an active member, always in the same
 * order; with the organisation that vouches for it, and the identity provider where that is known.
 */
export const auditSignIn = async (
  call: Needs<'audit' | 'reader' | 'tx'>,
  { userId, action, portalSessionId, vouchedBy = null, provider = null }: AuditSignInInput,
): Promise<void> => {
  const { tx } = call
  const actor = { kind: 'user', id: userId } as const
  const isEverywhere = vouchedBy === null || (await hasAgreed(tx, vouchedBy, userId))
  const payload = vouchedBy === null ? undefined : { vouchedBy, ...(provider !== null && { provider }) }
  for (const { orgId } of await membershipsAcrossOrgs({ reader: tx }, userId))
    if (isEverywhere || orgId === vouchedBy)
      await call.audit.append(
        { tx, scope: { orgId }, actor },
        { action, target: portalSessionId, ...(payload && { payload }) },
      )
}

/** A new pair of tokens. Those issued before keep their own end. */
export const issueTokens = async (
  call: Needs<'clock' | 'reader' | 'tx'>,
  portalSessionId: string,
): Promise<IssuedTokens> => {
  const { tx } = call
  const now = call.clock.now()
  const access = newSecret(secretPrefixes.portal_access)
  const refresh = newSecret(secretPrefixes.portal_refresh)
  const accessExpiresAt = now + accessSeconds * 1000
  const refreshExpiresAt = now + refreshSeconds * 1000
  await touchPortalSession(tx, portalSessionId, now, refreshExpiresAt)
  await insertPortalToken(tx, portalSessionId, { hash: access.hash, kind: 'access', now, expiresAt: accessExpiresAt })
  await insertPortalToken(tx, portalSessionId, {
    hash: refresh.hash,
    kind: 'refresh',
    now,
    expiresAt: refreshExpiresAt,
  })
  return { access: access.token, refresh: refresh.token, accessExpiresAt, refreshExpiresAt }
}

/** A sign-in that an organisation vouches for, and what it is called, or will be. */
export interface Vouched {
  readonly orgId: string
  readonly portalSessionId: string
  /** The identity provider or the directory, as it calls itself. */
  readonly provider: string | null
}

/** Begins a sign-in of somebody who has proved who they are. */
export const beginSignIn = async (
  call: Needs<'audit' | 'clock' | 'credentials' | 'newId' | 'reader' | 'tx'> & Partial<Caller>,
  { userId, vouched }: { readonly userId: string; readonly vouched?: Vouched | undefined },
): Promise<IssuedTokens> => {
  const { tx, address, userAgent } = call
  const id = vouched?.portalSessionId ?? call.newId('pss')
  await insertPortalSession(tx, { id, userId, now: call.clock.now(), address, userAgent, vouchedBy: vouched?.orgId })
  const tokens = await issueTokens(call, id)
  const { orgId: vouchedBy = null, provider = null } = vouched ?? {}
  await auditSignIn(call, { userId, action: 'user.signed_in', portalSessionId: id, vouchedBy, provider })
  for (const surplus of await listSurplusSessions(tx, userId, maxSignIns))
    await endSignIn(call, { id: surplus.id, reason: 'too_many' })
  return tokens
}

const noted: Readonly<Record<EndReason, AuditAction>> = {
  signed_out: 'user.signed_out',
  token_reused: 'user.session_revoked',
  deactivated: 'user.session_revoked',
  password_set: 'user.session_revoked',
  second_factor_added: 'user.session_revoked',
  ended_by_owner: 'user.session_revoked',
  too_many: 'user.session_revoked',
  ended_by_provider: 'user.session_revoked',
  sso_required: 'user.session_revoked',
}

/** Ends a sign-in with all its tokens, at once in this process. Ending what has ended changes nothing. */
export const endSignIn = async (
  call: Needs<'audit' | 'clock' | 'credentials' | 'reader' | 'tx'>,
  { id, reason }: { readonly id: string; readonly reason: EndReason },
): Promise<void> => {
  const { tx } = call
  const session = await lockPortalSession(tx, id)
  if (!session || !(await endPortalSession(tx, id, reason, call.clock.now()))) return
  const { userId, vouchedBy } = session
  await auditSignIn(call, { userId, action: noted[reason], portalSessionId: id, vouchedBy })
  tx.afterCommit(() => call.credentials.clear())
}

/** Ends every sign-in of a person, but one where that is to stay; answers how many. */
export const endSignInsOf = async (
  call: Parameters<typeof endSignIn>[0],
  { userId, reason, but }: { readonly userId: string; readonly reason: EndReason; readonly but?: string | undefined },
): Promise<number> => {
  const open = (await listOpenPortalSessions(call.tx, userId)).filter(({ id }) => id !== but)
  for (const { id } of open) await endSignIn(call, { id, reason })
  return open.length
}

/** Deletes what has expired, and sign-ins that nothing is left of; the audit chain keeps what happened. */
export const purgeSignIns = async (call: Needs<'clock' | 'db'>): Promise<void> => {
  await deleteInPages(call, (tx, limit) => deleteExpiredTokens(tx, call.clock.now(), limit))
  await deleteInPages(call, deleteEmptyPortalSessions)
}
