import { consentLocaleFor } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Environment } from '../../../kernel/identity/scope.ts'
import { iso } from '../../../kernel/time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { memberAddress, memberName } from '../../organisation/people/people.service.ts'
import { linkUrl, requestsPageUrl } from '../links/links.service.ts'
import { candidateMessageOf } from './candidate.messages.ts'
import { linkExpiresAt } from './invitations.policy.ts'

interface Draft {
  readonly environment: Environment
  readonly name?: string | undefined
  readonly locale?: string | undefined
  readonly message?: string | undefined
  readonly schedule?: NonNullable<SessionRow['schedule']> | undefined
}

/** Where the id of an interview and a link's token will be. */
const blank = '…'

/** The message as it would go out now, in the name of whoever asks. Its link opens nothing. */
export const previewInvitation = async (
  call: Reads & By<ActorOf<'user'>> & Needs<'clock' | 'config'>,
  { environment, name, message, schedule: wanted, ...draft }: Draft,
) => {
  const { reader, actor } = call
  const { orgId } = call.scope
  const schedule = wanted ?? null
  const locale = consentLocaleFor(draft.locale)
  const expiresAt = linkExpiresAt(schedule, call.clock.now())
  const { subject, text } = candidateMessageOf({
    ...{ message: 'invited', environment, locale, schedule, expiresAt },
    ...{ name: name ?? null, words: message ?? null },
    brand: await mailBrandOf(call, orgId),
    person: await memberName({ reader }, { orgId, userId: actor.id }),
    url: linkUrl(call, { link: { kind: 'invitation', sessionId: blank }, token: blank }),
    takesReplies: (await memberAddress({ reader }, { orgId, userId: actor.id })) !== undefined,
    requestsUrl: requestsPageUrl(call, blank),
  })
  return { locale, subject, text, expiresAt: iso(expiresAt) }
}
