import { type ConsentLocale, consentLocaleFor } from '@integrity/protocol'
import type { Environment } from '../../kernel/scope.ts'
import { inOneLine, paragraphs, subjectOf } from '../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../platform/mail/spoken-time.ts'
import type { Occasion } from './request-links.service.ts'

interface Letter {
  readonly subject: string
  readonly text: string
}

interface Words {
  readonly subject: string
  readonly hello: string
  /** `{org}` is the organisation's name. */
  readonly occasion: Readonly<Record<Occasion, string>>
  readonly page: string
  /** `{until}` is an instant in words. */
  readonly link: string
  readonly ends: string
  readonly notYou: string
}

const words: Readonly<Record<ConsentLocale, Words>> = {
  en: {
    subject: 'Your interview: the link to your requests',
    hello: 'Hello,',
    occasion: {
      asked: 'A link to your requests about your interview with {org} was asked for. Here it is:',
      answered: '{org} has written to you about a request of yours. What they wrote is on this page:',
      decided: '{org} has dealt with a request of yours. The outcome is on this page:',
    },
    page: 'The page shows what is kept of the interview. There you can add words of your own, ask for a copy of what is kept, or ask for it to be erased.',
    link: 'The link is yours alone and works until {until}. Please do not pass it on.',
    ends: 'Links to this page that you had before have ended.',
    notYou: 'If this is not about you, please delete this message. You need not do anything else.',
  },
  hi: {
    subject: 'आपका साक्षात्कार: आपके अनुरोधों का लिंक',
    hello: 'नमस्ते,',
    occasion: {
      asked: '{org} के साथ हुए आपके साक्षात्कार से जुड़े अनुरोधों का लिंक माँगा गया था। लिंक यह है:',
      answered: '{org} ने आपके एक अनुरोध के बारे में आपको लिखा है। उनका संदेश इस पृष्ठ पर है:',
      decided: '{org} ने आपके एक अनुरोध पर काम पूरा किया है। उसका परिणाम इस पृष्ठ पर है:',
    },
    page: 'इस पृष्ठ पर दिखता है कि साक्षात्कार का क्या-क्या रखा गया है। वहाँ आप अपनी बात लिख सकते हैं, रखी गई जानकारी की प्रति माँग सकते हैं, या उसे मिटाने का अनुरोध कर सकते हैं।',
    link: 'यह लिंक केवल आपके लिए है और {until} तक काम करेगा। कृपया इसे किसी और को न दें।',
    ends: 'इस पृष्ठ के जो लिंक आपके पास पहले से थे, वे अब काम नहीं करेंगे।',
    notYou: 'यदि यह संदेश आपके बारे में नहीं है, तो कृपया इसे हटा दें। आपको और कुछ करने की आवश्यकता नहीं है।',
  },
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
  const text = words[locale]
  const body = paragraphs(
    text.hello,
    text.occasion[given.occasion].replace('{org}', () => inOneLine(given.org)),
    given.url,
    text.page,
    `${text.link.replace('{until}', spokenUtc(locale, given.expiresAt))}\n${text.ends}`,
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
