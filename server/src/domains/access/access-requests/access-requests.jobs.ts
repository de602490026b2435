import { accessRequestsWaiting } from '@integrity/protocol'
import * as z from 'zod'
import { countAttempt } from '../../../kernel/attempts/attempts.store.ts'
import { defineJob, type JobCall, type JobRun } from '../../../kernel/jobs/define-job.ts'
import { pageFor } from '../../../kernel/page-links.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { collectedLetter, declineLetter, inviteLetter, noticeLetter } from './access.messages.ts'
import { countPending, findAccessRequest } from './access-requests.store.ts'
import { inviteStatusOf, unwrapInvite } from './owner-invites.service.ts'
import { findInviteById } from './owner-invites.store.ts'
import { purgeAccessAttempts } from './requesting.service.ts'

/** Ids and a wrapped token: no words, no address, and no link that a reader of the table could open. */
const ofRequest = z.object({ requestId: z.string() })
const ofInvite = z.object({ inviteId: z.string(), wrapped: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'access_requests.received': z.output<typeof ofRequest>
    'access_requests.collected': Record<never, never>
    'access_requests.declined': z.output<typeof ofRequest>
    'access_requests.invite': z.output<typeof ofInvite>
  }
}

/** Mails the link, unless another has taken its place or it was accepted or expired meanwhile. */
const sendInvitation = async (
  call: JobCall,
  { inviteId, wrapped }: z.output<typeof ofInvite>,
  { id }: JobRun,
): Promise<void> => {
  const { reader } = call
  const invite = await findInviteById(reader, inviteId)
  const request = invite && (await findAccessRequest(reader, invite.requestId))
  if (!request || inviteStatusOf(request, { invite, now: call.clock.now() }) !== 'pending') return
  // The secret is behind the #, so that no server's log sees it.
  const url = `${call.config.baseUrl}/access/#${request.id}.${unwrapInvite(call, { inviteId, wrapped })}`
  await call.mail.send({ id, to: [request.email], ...inviteLetter(request, invite, url) })
}

/** Strangers ask as often as they like: operators get one message of it an hour. */
const noticeMs = 3_600_000

const countNotice = ({ tx, clock }: Pick<JobCall, 'clock'> & { readonly tx: Tx }) =>
  countAttempt(tx, 'desk notices', clock.now(), noticeMs)

/** Counts a message to the operators. Where they had one within the hour it is left to one that collects. */
const collectedAfterAnother = async (call: Omit<JobCall, 'tx'> & { readonly tx: Tx }): Promise<boolean> => {
  const { attempts, endsAt } = await countNotice(call)
  if (attempts === 1) return false
  const dedupeKey = 'access_requests.collected'
  await call.jobs.enqueue(call, { kind: 'access_requests.collected', payload: {}, dedupeKey, runAt: endsAt })
  return true
}

export const accessRequestsJobs = [
  /** Tells the operators; finds nothing where nothing was noted. */
  defineJob({
    kind: 'access_requests.received',
    payload: ofRequest,
    attempts: mailAttempts,
    run: async (call, { requestId }, { id, attempt }) => {
      const to = call.config.deskOperators
      const request = await findAccessRequest(call.reader, requestId)
      if (request?.status !== 'pending' || to.length === 0) return
      // A message that could not be sent is sent again, and is no second one.
      const isCollected = attempt === 1 && (await call.db.transact((tx) => collectedAfterAnother({ ...call, tx })))
      if (isCollected) return
      await call.mail.send({ id, to, ...noticeLetter(request, pageFor(call, { kind: 'access_requests' })) })
    },
  }),
  /** What came within the hour after a notice, in one. */
  defineJob({
    kind: 'access_requests.collected',
    payload: z.object({}),
    attempts: mailAttempts,
    run: async (call, _, { id, attempt }) => {
      const to = call.config.deskOperators
      if (attempt === 1) await call.db.transact((tx) => countNotice({ ...call, tx }))
      const waiting = await countPending(call.reader, accessRequestsWaiting)
      if (waiting > 0 && to.length > 0)
        await call.mail.send({ id, to, ...collectedLetter(waiting, pageFor(call, { kind: 'access_requests' })) })
    },
  }),
  defineJob({ kind: 'access_requests.invite', payload: ofInvite, attempts: mailAttempts, run: sendInvitation }),
  defineJob({
    kind: 'access_requests.declined',
    payload: ofRequest,
    attempts: mailAttempts,
    run: async (call, { requestId }, { id }) => {
      const request = await findAccessRequest(call.reader, requestId)
      if (request?.status === 'declined') await call.mail.send({ id, to: [request.email], ...declineLetter(request) })
    },
  }),
  defineJob({ kind: 'access_requests.purge', everyMs: 3_600_000, run: (call) => purgeAccessAttempts(call) }),
]
