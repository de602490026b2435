import { readFileSync } from 'node:fs'
import path from 'node:path'
import { definePage, type Page } from './page.ts'
import { lockedDown } from './room-pages.ts'

const file = path.resolve(import.meta.dirname, '../../../../docs/verify/verify-bundle.html')

/** The policy that the page carries, for whoever keeps it as a file; a header can forbid frames as well. */
const policyOf = (html: string): string => {
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? []
  if (policy === undefined) throw new Error('the checking page has no policy')
  return `${policy}; frame-ancestors 'none'`
}

/** The page that checks a bundle in the browser; it loads nothing and sends nothing. */
export const verifyPages = (from = file): ReadonlyMap<string, Page> => {
  const bytes = readFileSync(from)
  const headers = { 'Content-Security-Policy': policyOf(bytes.toString('utf8')), ...lockedDown }
  return new Map([['/verify/', definePage({ type: 'text/html', bytes, cacheControl: 'public, no-cache', headers })]])
}
