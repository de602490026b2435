import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailRequestsTexts } from '@integrity/protocol/texts/areas/mail-requests'
import type { Environment } from '../../kernel/identity/scope.ts'
import { inOneLine, paragraphs, subjectOf } from '../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../platform/mail/spoken-time.ts'
import type { Occasion } from './request-links.service.ts'

interface Letter {
  readonly subject: string
  readonly text: string
}

/**
 * The message that carries a link to the candidate, in the language of a BCP 47 tag or else in English. It says why it
 * comes and nothing of what was written. `expiresAt` is in epoch milliseconds.
 */
export const linkLetter = (
  tag: string | undefined,
  given: {
    readonly occasion: Occasion
    readonly org: string
    readonly url: string
    readonly expiresAt: number
    readonly environment: Environment
  },
): Letter => {
  const locale = consentLocaleFor(tag)
  const text = mailRequestsTexts[locale]
  const body = paragraphs(
    text.hello,
    fillPlain(text.occasion[given.occasion], { org: inOneLine(given.org) }),
    given.url,
    text.page,
    `${fillPlain(text.link, { until: spokenUtc(locale, given.expiresAt) })}\n${text.ends}`,
    text.notYou,
  )
  return { subject: subjectOf(given.environment, text.subject), text: `${body}\n` }
}

/** What the organisation's owners and admins are told of a new request: that it is there, and where; nothing of its words. */
export const arrivalLetter = (given: {
  readonly sessionId: string
  readonly externalId: string | null
  readonly url: string
  readonly environment: Environment
}): Letter => ({
  subject: subjectOf(given.environment, 'A candidate has sent a statement or a request'),
  text: `${[
    'A candidate has sent a statement or a request about an interview of your organisation.',
    '',
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
