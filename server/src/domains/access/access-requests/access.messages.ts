import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailAccessTexts } from '@integrity/protocol/texts/areas/mail-access'
import { type Letter, letterOf } from '../../../platform/mail/letter.ts'
import { inOneLine, orgInMail, personInMail } from '../../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { AccessRequestRow, OwnerInviteRow } from './access-requests.types.ts'

const helloAndOpening = (
  kind: 'invited' | 'resent' | 'declined',
  { locale: tag, name, organisation }: AccessRequestRow,
) => {
  const locale = consentLocaleFor(tag)
  const texts = mailAccessTexts[locale]
  const who = personInMail(name)
  const hello = who === '' ? texts.helloNobody : fillPlain(texts.hello, { name: who })
  const opening = fillPlain(texts.opening[kind], { organisation: orgInMail(organisation) || '…' })
  return { locale, texts, hello, opening, subject: texts.subject[kind] }
}

/** The invitation to the first owner; `url` holds the token. */
export const inviteLetter = (request: AccessRequestRow, { origin, expiresAt }: OwnerInviteRow, url: string): Letter => {
  const kind = origin === 'approved' ? 'invited' : 'resent'
  const { locale, texts, hello, opening, subject } = helloAndOpening(kind, request)
  const until = fillPlain(texts.until, { until: spokenUtc(locale, expiresAt) })
  return letterOf(locale, subject, [hello, opening, { link: url, label: texts.link }, until, texts.notYou])
}

export const declineLetter = (request: AccessRequestRow): Letter => {
  const { locale, texts, hello, opening, subject } = helloAndOpening('declined', request)
  const { declineMessage: words } = request
  const said = words === null ? [] : [texts.theirWords, { words }]
  return letterOf(locale, subject, [hello, opening, ...said, texts.declinedEnd])
}

/** To the operators, in English. */
export const noticeLetter = (request: AccessRequestRow, url: string): Letter => {
  const { organisation, name, email, country, sessionsPerMonth, message } = request
  const facts = [
    `Organisation:       ${inOneLine(organisation)}`,
    `Name:               ${inOneLine(name)}`,
    `Address:            ${email}`,
    `Country:            ${country}`,
    ...(sessionsPerMonth === null ? [] : [`Sessions per month: ${sessionsPerMonth}`]),
    `Request:            ${request.id}`,
  ]
  return letterOf('en', 'Somebody asks for access', [
    'Somebody asks for an organisation of their own. Nobody has checked that the address is theirs.',
    facts.join('\n'),
    ...(message === null ? [] : ['In their own words:', { words: message }]),
    { link: url, label: 'Signed in as an operator of the access desk, read and decide:' },
  ])
}

/** To the operators: how many requests wait, where some came within an hour after a message. */
export const collectedLetter = (waiting: number, url: string): Letter =>
  letterOf('en', 'Requests for access are waiting', [
    `Requests that wait for a decision: ${waiting}. You get at most one message an hour about them.`,
    { link: url, label: 'Signed in as an operator of the access desk, read and decide:' },
  ])
