import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailRequestsTexts } from '@integrity/protocol/texts/areas/mail-requests'
import type { Environment } from '../../../kernel/identity/scope.ts'
import { brandedLetter, type Letter } from '../../../platform/mail/letter.ts'
import { inOneLine, subjectOf } from '../../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { MailBrand } from '../../organisation/branding/letterhead.service.ts'
import type { RequestKind } from './candidate-requests.store.ts'
import type { Occasion } from './request-links.service.ts'

/**
 * The message that carries a link to the candidate, in the language of a BCP 47 tag or else in English. It says why it
 * comes and nothing of what was written. `expiresAt` is in epoch milliseconds.
 */
export const linkLetter = (
  tag: string | undefined,
  given: {
    readonly occasion: Occasion
    readonly brand: MailBrand
    readonly url: string
    readonly expiresAt: number
    readonly environment: Environment
  },
): Letter => {
  const locale = consentLocaleFor(tag)
  const text = mailRequestsTexts[locale]
  const { name: org, contact, look } = given.brand
  return brandedLetter({
    language: locale,
    subject: subjectOf(given.environment, inOneLine(fillPlain(text.subject[given.occasion], { org }))),
    parts: [
      text.hello,
      { link: given.url, label: fillPlain(text.occasion[given.occasion], { org }), button: text.button },
      text.page,
      `${fillPlain(text.link, { until: spokenUtc(locale, given.expiresAt) })}\n${text.ends}`,
      contact === undefined ? undefined : fillPlain(text.contact, { org, contact }),
      text.notYou,
    ],
    look,
  })
}

const sentOf: { readonly [Kind in RequestKind]: string } = {
  context_statement: 'a statement for the reviewers',
  access: 'a request for a copy of their data',
  erasure: 'a request to have their data deleted',
  aids: 'a list of aids that they use',
  accommodation: 'a request for what they need at the interview',
}

/** What the organisation's owners and admins are told of a new request: its kind, until when, and where; nothing of its words. */
export const arrivalLetter = (given: {
  readonly kind: RequestKind
  readonly sessionId: string
  readonly externalId: string | null
  readonly url: string
  readonly environment: Environment
  /** Epoch milliseconds; null where no answer is due. */
  readonly dueAt: number | null
}): Pick<Letter, 'subject' | 'text'> => ({
  subject: subjectOf(given.environment, `A candidate has sent ${sentOf[given.kind]}`),
  text: `${[
    `A candidate has sent ${sentOf[given.kind]}. It is about an interview of your organisation.`,
    '',
    ...(given.dueAt === null ? [] : [`Answer by:   ${spokenUtc('en', given.dueAt)}`]),
    `Session:     ${given.sessionId}`,
    ...(given.externalId === null ? [] : [`Your handle: ${inOneLine(given.externalId)}`]),
    `Environment: ${given.environment}`,
    '',
    'Read and answer it, signed in as an owner or admin:',
    given.url,
    '',
    'The candidate can see on a page of their own whether it was acknowledged, and what was answered.',
  ].join('\n')}\n`,
})
