import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ErrorCode, ServiceError } from '@integrity/protocol'
import { pageColours, type Scheme } from '@integrity/protocol/clients/tokens'
import type { Headers } from './respond.ts'

/** Whether a person looks at the answer: programs ask for JSON, or for anything. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.accept?.includes('text/html') ?? false

const shades = (scheme: Scheme): string =>
  Object.entries(pageColours)
    .map(([name, [light, dark]]) => `--${name}:${scheme === 'light' ? light : dark}`)
    .join(';')

const style = `:root{color-scheme:light dark;${shades('light')}}
@media (prefers-color-scheme:dark){:root{${shades('dark')}}}
body{margin:0;padding:48px 20px;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--edge);border-radius:12px}
h1{margin:0 0 12px;font-size:25.6px;line-height:1.25}
a{display:inline-block;margin:8px 0 16px;padding:11px 20px;background:var(--accent);color:var(--onAccent);border-radius:8px;text-decoration:none}
a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
small{color:var(--soft);overflow-wrap:anywhere}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Words {
  readonly title: string
  readonly text: string
}
type Known = 'again' | 'wait' | 'trouble' | 'lost'

const words = {
  en: {
    again: {
      title: 'This did not work',
      text: 'Nothing was changed. Please begin again at the sign-in page. If it happens again, tell the person who looks after sign-in in your organisation the line below.',
    },
    wait: { title: 'Too many attempts', text: 'Please wait a minute, then begin again at the sign-in page.' },
    trouble: {
      title: 'Something is out of order here',
      text: 'It is not your fault, and nothing was lost. Please try again in a few minutes.',
    },
    lost: {
      title: 'There is nothing at this address',
      text: 'The link is incomplete, or what it leads to is gone. Please begin again at the sign-in page.',
    },
    go: 'To the sign-in page',
    line: 'For whoever helps you:',
  },
  hi: {
    again: {
      title: 'यह पूरा नहीं हो सका',
      text: 'कुछ भी बदला नहीं गया है। कृपया साइन-इन पेज से फिर शुरू करें। यदि ऐसा फिर हो, तो अपने संगठन में साइन-इन सँभालने वाले व्यक्ति को नीचे की पंक्ति बताएँ।',
    },
    wait: { title: 'बहुत अधिक प्रयास', text: 'कृपया एक मिनट रुकें, फिर साइन-इन पेज से शुरू करें।' },
    trouble: {
      title: 'यहाँ कुछ ठीक नहीं है',
      text: 'यह आपकी गलती नहीं है, और कुछ खोया नहीं है। कृपया कुछ मिनट बाद फिर प्रयास करें।',
    },
    lost: {
      title: 'इस पते पर कुछ नहीं है',
      text: 'लिंक अधूरा है, या जिस पर यह ले जाता था वह अब नहीं है। कृपया साइन-इन पेज से फिर शुरू करें।',
    },
    go: 'साइन-इन पेज पर जाएँ',
    line: 'जो आपकी सहायता करें, उनके लिए:',
  },
} as const satisfies Record<string, Record<Known, Words> & { readonly go: string; readonly line: string }>

const kinds: Readonly<Partial<Record<ErrorCode, Known>>> = {
  rate_limited: 'wait',
  service_unavailable: 'trouble',
  internal_error: 'trouble',
  not_found: 'lost',
}

/** What follows `&` and the like, from outside. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A refusal for a person: what to do, in one sentence, and the line by which it is found in the log. */
export const refusalPage = (
  { code, extra }: Pick<ServiceError, 'code' | 'extra'>,
  requestId: string,
  language: string,
): { text: string; headers: Headers } => {
  const lang = /^\s*hi\b/i.test(language) ? 'hi' : 'en'
  const { go, line, ...known } = words[lang]
  const { title, text } = known[kinds[code] ?? 'again']
  const { reason } = extra
  const facts = [code, ...(typeof reason === 'string' ? [reason] : []), requestId].map(escaped).join(' · ')
  return {
    text: `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${text}</p><p><a href="/account/">${go}</a></p><small>${line} ${facts}</small></main></body></html>
`,
    headers: {
      ...{ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' },
      ...{ 'Cache-Control': 'no-store', 'Content-Language': lang, Vary: 'Accept, Accept-Language' },
    },
  }
}
