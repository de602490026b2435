import * as z from 'zod'
import { defineJob, type JobCall } from '../../../kernel/jobs/define-job.ts'
import { MailRefused, mailAttempts } from '../../../platform/mail/mail.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { memberAddress } from '../../organisation/people/people.service.ts'
import { inviteLetter } from './invite.messages.ts'
import { statusOf } from './invites.policy.ts'
import { closeLateInvites, unwrapToken } from './invites.service.ts'
import { findInvite, isNewestLink, markMail } from './invites.store.ts'

/** Ids and a wrapped token: no words, no address, and no link that a reader of the table could open. */
const mail = z.object({ inviteId: z.string(), linkId: z.string(), wrapped: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'invite.mail': z.output<typeof mail>
  }
}

/** What is still to be sent; undefined where the invite is over, was sent already, or has a newer link. */
const readLetter = async (call: JobCall, { inviteId, linkId, wrapped }: z.output<typeof mail>) => {
  const { reader, scope } = call
  const invite = await findInvite(reader, scope.orgId, inviteId)
  if (!invite || invite.sentAt !== null || statusOf(invite, call.clock.now()) !== 'pending') return undefined
  if (!(await isNewestLink(reader, scope.orgId, { inviteId, linkId }))) return undefined
  const brand = await mailBrandOf({ reader }, scope)
  // The secret is behind the #, so that no server's log sees it.
  const url = `${call.config.baseUrl}/invite/#${inviteId}.${unwrapToken(call, { linkId, wrapped })}`
  const replyTo = await memberAddress({ reader }, { orgId: scope.orgId, userId: invite.invitedBy })
  return { to: [invite.email], replyTo, ...inviteLetter(invite, { brand, url, takesReplies: replyTo !== undefined }) }
}

export const invitesJobs = [
  defineJob({
    kind: 'invite.mail',
    payload: mail,
    attempts: mailAttempts,
    run: async (call, payload, { id }) => {
      const letter = await readLetter(call, payload)
      if (!letter) return
      const mark = (outcome: 'sent' | 'refused') =>
        call.db.transact((tx) => markMail(tx, call.scope.orgId, payload, { outcome, now: call.clock.now() }))
      try {
        // A job that runs twice sends the same message again, under the same id.
        await call.mail.send({ id, ...letter })
      } catch (error) {
        if (error instanceof MailRefused) await mark('refused')
        throw error
      }
      await mark('sent')
    },
  }),
  defineJob({ kind: 'invites.expire', everyMs: 3_600_000, run: (call) => closeLateInvites(call) }),
]
