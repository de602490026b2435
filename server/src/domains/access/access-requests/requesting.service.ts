import {
  type accessRequestCreate,
  accessRequestsPerMailbox,
  accessRequestsWaiting,
  consentLocaleFor,
  ServiceError,
} from '@integrity/protocol'
import type * as z from 'zod'
import { countAttempt, deleteOldAttempts } from '../../../kernel/attempts/attempts.store.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { rateLimited } from '../../../kernel/rate-limited.ts'
import { insertStep } from './access-log.store.ts'
import { countPending, insertAccessRequest } from './access-requests.store.ts'

/** Jobs of the desk belong to no organisation. */
export const deskScope: Scope = { orgId: '', environment: 'live' }

const hourMs = 3_600_000

/** Refuses what the desk would not look at, before anything is written for it. */
export const admitRequest = async (
  call: Needs<'clock' | 'config' | 'db' | 'reader'> & { readonly address: string },
): Promise<void> => {
  const { config, clock, address } = call
  if (!config.accessRequestsOpen) throw new ServiceError('forbidden', 'requests for access are not taken here')
  const limit = config.limits.accessRequestsPerAddress
  const now = clock.now()
  const { attempts, endsAt } = await call.db.transact((tx) => countAttempt(tx, `network ${address}`, now, hourMs))
  if (attempts > limit) {
    const hit = { limit, waitSeconds: (endsAt - now) / 1000, windowSeconds: hourMs / 1000 }
    throw rateLimited(`${limit} requests for access in an hour are the ceiling`, hit)
  }
  if ((await countPending(call.reader, accessRequestsWaiting)) >= accessRequestsWaiting)
    throw new ServiceError(
      'service_unavailable',
      'too many requests wait to be decided; please try again in some days',
      {
        headers: { 'Retry-After': '86400' },
      },
    )
}

/**
 * Notes a request, unless its address has one that is pending or has asked too often. Either way the same statements run and
 * the same job is asked for, which finds nothing where nothing was noted.
 */
export const requestAccess = async (
  call: By<AuditActor> & Needs<'clock' | 'jobs' | 'newId' | 'tx'>,
  given: z.output<typeof accessRequestCreate>,
): Promise<void> => {
  const { tx, actor } = call
  const now = call.clock.now()
  const { attempts } = await countAttempt(tx, `mailbox ${given.email}`, now, 24 * hourMs)
  const id = call.newId('acr')
  const { sessionsPerMonth = null, message = null, locale, ...asked } = given
  if (attempts <= accessRequestsPerMailbox)
    await insertAccessRequest(tx, {
      ...asked,
      id,
      sessionsPerMonth,
      message,
      createdAt: now,
      locale: consentLocaleFor(locale),
    })
  await insertStep(tx, id, {
    id: call.newId('acl'),
    at: now,
    actor: { kind: actor.kind, id: 'anonymous' },
    action: 'requested',
  })
  await call.jobs.enqueue(
    { ...call, tx, scope: deskScope },
    { kind: 'access_requests.received', payload: { requestId: id } },
  )
}

/** Deletes counts whose window is over. */
export const purgeAccessAttempts = (call: Needs<'clock' | 'db'>): Promise<void> =>
  deleteInPages(call, (tx, limit) => deleteOldAttempts(tx, call.clock.now(), limit))
