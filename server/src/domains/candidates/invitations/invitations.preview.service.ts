import { consentLocaleFor } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { WholeContent } from '../../../kernel/content.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Environment } from '../../../kernel/identity/scope.ts'
import { iso } from '../../../kernel/time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { TypedBrand } from '../../organisation/branding/branding.types.ts'
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

type Asking = Reads & By<ActorOf<'user'>> & Needs<'clock' | 'config'>

const messageOf = async (
  call: Asking,
  { environment, name, message, schedule: wanted, ...draft }: Draft,
  typed?: TypedBrand,
) => {
  const { reader, actor } = call
  const { orgId } = call.scope
  const schedule = wanted ?? null
  const locale = consentLocaleFor(draft.locale)
  const expiresAt = linkExpiresAt(schedule, call.clock.now())
  const letter = candidateMessageOf({
    message: 'invited',
    environment,
    locale,
    schedule,
    expiresAt,
    name: name ?? null,
    words: message ?? null,
    brand: await mailBrandOf(call, { orgId, typed }),
    person: await memberName({ reader }, { orgId, userId: actor.id }),
    url: linkUrl(call, { link: { kind: 'invitation', sessionId: blank }, token: blank }),
    takesReplies: (await memberAddress({ reader }, { orgId, userId: actor.id })) !== undefined,
    requestsUrl: requestsPageUrl(call, blank),
  })
  return { locale, expiresAt, letter }
}

/** The message as it would go out now, in the name of whoever asks. Its link opens nothing. */
export const previewInvitation = async (call: Asking, draft: Draft) => {
  const { locale, expiresAt, letter } = await messageOf(call, draft)
  const { subject, text } = letter
  return { locale, subject, text, expiresAt: iso(expiresAt) }
}

/** What a frame of this service's own pages may show: no script, nothing from anywhere, the styles that stand in it. */
const framed =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

/** The HTML of that message with a brand that somebody types. The logo stands in it, as nothing is loaded. */
export const typedLetter = async (
  call: Asking,
  { locale, ...typed }: TypedBrand & { readonly locale: string },
): Promise<WholeContent> => {
  const { letter } = await messageOf(call, { environment: call.scope.environment, locale }, typed)
  const pictures = letter.pictures ?? []
  const html = pictures.reduce(
    (text, { cid, png }) => text.replaceAll(`cid:${cid}`, `data:image/png;base64,${png.toString('base64')}`),
    letter.html,
  )
  return {
    body: Buffer.from(html),
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': framed, 'Cross-Origin-Resource-Policy': 'same-origin' },
  }
}
