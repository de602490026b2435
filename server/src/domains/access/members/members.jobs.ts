import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { findActiveMember } from '../../organisation/people/memberships.service.ts'
import { memberAddress } from '../../organisation/people/people.service.ts'
import { openPasswordLink } from '../auth/passwords/password-links.service.ts'
import { welcomeLetter } from './member.messages.ts'

const added = z.object({
  membershipId: z.string(),
  addedBy: z.string(),
  locale: z.string().optional(),
  isNew: z.boolean(),
  /** To set the first password of a new account. */
  link: z.object({ linkId: z.string(), wrapped: z.string() }).optional(),
})

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'member.added': z.output<typeof added>
  }
}

export const membersJobs = [
  /** Tells somebody that they are a member, unless they are none any more. Run twice, it is the same message. */
  defineJob({
    kind: 'member.added',
    payload: added,
    attempts: mailAttempts,
    run: async (call, { membershipId, addedBy, locale, isNew, link }, { id }) => {
      const { reader, scope } = call
      const member = await findActiveMember({ reader }, { orgId: scope.orgId, id: membershipId })
      if (!member) return
      const brand = await mailBrandOf({ reader }, scope)
      const open = link && (await openPasswordLink(call, link))
      const letter = welcomeLetter({
        locale,
        brand,
        name: member.name ?? member.email,
        role: member.role,
        isNew,
        link: open && { url: open.url, until: open.link.expiresAt },
      })
      const replyTo = await memberAddress({ reader }, { orgId: scope.orgId, userId: addedBy })
      await call.mail.send({ id, to: [member.email], replyTo, ...letter })
    },
  }),
]
