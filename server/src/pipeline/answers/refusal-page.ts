import type { IncomingMessage } from 'node:http'
import { consentLocaleFor, type ServiceError } from '@integrity/protocol'
import { refusalPageTexts } from '@integrity/protocol/texts/areas/refusal-page'
import { unbuilt } from '../pages/not-built.ts'
import { plainPagePolicy, plainPageStyle } from '../pages/plain-page-style.ts'
import type { Headers, RefusalForm } from './respond.ts'

/** Whether a person looks at the answer: programs ask for JSON, or for anything. */
export const wantsPage = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.accept?.includes('text/html') ?? false

/** A refusal of what is no endpoint: for a browser it is a page, so that no link ends in JSON. */
export const pageFormFor = (request: Pick<IncomingMessage, 'headers'>): RefusalForm =>
  wantsPage(request) ? { page: refusalPage } : {}

/** As on the pages: something needs attention. */
const sign =
  '<svg viewBox="0 0 40 40" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"><circle cx="20" cy="20" r="17"/><path d="M20 11v11M20 27v2"/></g></svg>'

type Known = keyof (typeof refusalPageTexts)['en']['known']

const kindOf = (status: number, reason: unknown): Known => {
  if (reason === unbuilt) return 'unbuilt'
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
  const { reason } = extra
  const kind = kindOf(status, reason)
  const { title, text } = known[kind]
  // The sign-in page is not built either.
  const way = kind === 'unbuilt' ? '' : `<p><a href="/account/">${go}</a></p>`
  const facts = [code, ...(typeof reason === 'string' ? [reason] : []), requestId].map(escaped).join(' · ')
  return {
    text: `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${plainPageStyle}</style></head>
<body><main>${sign}<h1>${title}</h1><p>${text}</p>${way}<small>${line} ${facts}</small></main></body></html>
`,
    headers: {
      'Content-Security-Policy': plainPagePolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Content-Language': language,
      Vary: 'Accept, Accept-Language',
    },
  }
}
