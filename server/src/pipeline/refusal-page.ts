import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { consentLocaleFor, type ServiceError } from '@integrity/protocol'
import { pageColours, type Scheme } from '@integrity/protocol/clients/tokens'
import { refusalPageTexts } from '@integrity/protocol/texts/areas/refusal-page'
import type { Headers } from './respond.ts'

/** Whether a person looks at the answer: programs ask for JSON, or for anything. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.accept?.includes('text/html') ?? false

const shades = (scheme: Scheme): string =>
  Object.entries(pageColours)
    .map(([name, [light, dark]]) => `--${name}:${scheme === 'light' ? light : dark}`)
    .join(';')

/** Of a page with a few sentences and one link. */
export const plainPageStyle = `:root{color-scheme:light dark;${shades('light')}}
@media (prefers-color-scheme:dark){:root{${shades('dark')}}}
body{margin:0;padding:48px 20px;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--edge);border-radius:12px}
h1{margin:0 0 12px;font-size:25.6px;line-height:1.25}
a{display:inline-block;margin:8px 0 16px;padding:11px 20px;background:var(--accent);color:var(--onAccent);border-radius:8px;text-decoration:none}
a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
svg{display:block;width:40px;height:40px;margin-bottom:8px;color:var(--amber)}
small{color:var(--soft);overflow-wrap:anywhere}`

/** As on the pages: something needs attention. */
const sign =
  '<svg viewBox="0 0 40 40" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"><circle cx="20" cy="20" r="17"/><path d="M20 11v11M20 27v2"/></g></svg>'

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(plainPageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Known = keyof (typeof refusalPageTexts)['en']['known']

const kindOf = (status: number): Known => {
  if (status === 429) return 'wait'
  if (status >= 500) return 'trouble'
  return status === 404 ? 'lost' : 'again'
}

/** What the browser likes best, of what it says. */
const languageOf = (accepted: string): string => accepted.split(/[,;]/)[0]?.trim() ?? ''

/** What follows `&` and the like, from outside. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A refusal for a person: what to do, in a sentence, and the line by which it is found in the log. */
export const refusalPage = (
  { status, code, extra }: Pick<ServiceError, 'status' | 'code' | 'extra'>,
  requestId: string,
  accepted: string,
): { text: string; headers: Headers } => {
  const language = consentLocaleFor(languageOf(accepted))
  const { go, line, known } = refusalPageTexts[language]
  const { title, text } = known[kindOf(status)]
  const { reason } = extra
  const facts = [code, ...(typeof reason === 'string' ? [reason] : []), requestId].map(escaped).join(' · ')
  return {
    text: `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${plainPageStyle}</style></head>
<body><main>${sign}<h1>${title}</h1><p>${text}</p><p><a href="/account/">${go}</a></p><small>${line} ${facts}</small></main></body></html>
`,
    headers: {
      ...{ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' },
      ...{ 'Cache-Control': 'no-store', 'Content-Language': language, Vary: 'Accept, Accept-Language' },
    },
  }
}
