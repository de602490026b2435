import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@integrity/protocol'
import { openApiDocument } from '@integrity/protocol/openapi'
import type { Context as KoaContext, Next } from 'koa'
import type { Needs } from '../../kernel/call.ts'
import { companionPages } from './companion-pages.ts'
import { guideText, readGuide } from './guide.ts'
import { definePage, forever, type Page } from './page.ts'
import { referenceHeaders, referenceHtml, scalarScript, startScript } from './reference-page.ts'
import { referenceStyle } from './reference-style.ts'
import { roomPages } from './room-pages.ts'

const anyOrigin = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }
const minutes = 'public, max-age=300'

/** The OpenAPI document, and the page that shows it, by path. */
const makePages = (baseUrl: string): ReadonlyMap<string, Page> => {
  const guide = guideText(readGuide())
  const text = (type: string, content: string, cacheControl: string, headers = {}) =>
    definePage({ type, bytes: Buffer.from(content), cacheControl, headers })
  const scalar = definePage({ type: 'text/javascript', bytes: scalarScript(), cacheControl: forever })
  const start = text('text/javascript', startScript, forever)
  const style = text('text/css', referenceStyle, forever)
  const address = {
    scalar: `docs/scalar.${scalar.hash}.js`,
    start: `docs/start.${start.hash}.js`,
    style: `docs/style.${style.hash}.css`,
  }
  const document = JSON.stringify(openApiDocument({ guide, serverUrl: baseUrl }))
  return new Map([
    ['/openapi.json', text('application/json', document, minutes, anyOrigin)],
    ['/docs', text('text/html', referenceHtml(address), 'public, no-cache', referenceHeaders)],
    ['/docs/guide.md', text('text/plain', guide, minutes, { 'Referrer-Policy': 'no-referrer' })],
    [`/${address.scalar}`, scalar],
    [`/${address.start}`, start],
    [`/${address.style}`, style],
  ])
}

const allowed = 'GET, HEAD, OPTIONS'

/** Pages that are made together, at the first request for one of them. */
interface PageGroup {
  readonly paths: RegExp
  readonly make: (baseUrl: string) => ReadonlyMap<string, Page>
}
const groups: readonly PageGroup[] = [
  { paths: /^\/(?:openapi\.json|docs(?:\/[\w.-]*)?)$/, make: makePages },
  { paths: /^\/companion(?:\/(?:[\w./-]+)?)?$/, make: () => companionPages() },
  {
    paths: /^\/(?:room|invitation|requests|access|password|invite|account)(?:\/(?:assets\/[\w.-]+)?)?$/,
    make: () => roomPages(),
  },
]

/** Paths of these without their slash: the addresses in such a page begin at its folder. */
const folders: ReadonlySet<string> = new Set([
  '/room',
  '/invitation',
  '/requests',
  '/access',
  '/password',
  '/invite',
  '/account',
  '/companion',
])

/** Counts a request; answers the headers of its ceiling, or throws. */
type Count = (request: IncomingMessage) => Promise<Record<string, string>>
/** Turns an error into an answer. */
type Refuse = (koa: KoaContext, error: unknown, requestId: string) => void

/**
 * Koa's middleware in front of the pipeline. These pages are the same for everybody and come out of memory: they need
 * no credential and no database, and count against their own ceiling of the address.
 */
export const servePages = (app: Needs<'config' | 'metrics' | 'newId'>, count: Count, refuse: Refuse) => {
  const made = new Map<PageGroup, ReadonlyMap<string, Page>>()
  const pagesOf = (group: PageGroup): ReadonlyMap<string, Page> => {
    const pages = made.get(group) ?? group.make(app.config.baseUrl)
    made.set(group, pages)
    return pages
  }
  const answer = async (koa: KoaContext, page: Page): Promise<void> => {
    koa.set(page.headers)
    if (koa.method === 'GET' || koa.method === 'HEAD') return page.send(koa)
    if (koa.method === 'OPTIONS') {
      koa.set({ Allow: allowed, 'Access-Control-Allow-Methods': allowed })
      koa.set({ 'Access-Control-Allow-Headers': 'If-None-Match', 'Access-Control-Max-Age': '600' })
      koa.status = 204
      return
    }
    throw new ServiceError('not_found', `this path answers ${allowed}`, { status: 405, headers: { Allow: allowed } })
  }
  /** False when there is no such page. */
  const tryAnswer = async (koa: KoaContext): Promise<boolean> => {
    const group = groups.find(({ paths }) => paths.test(koa.path))
    const page = group && pagesOf(group).get(koa.path)
    if (!page && !folders.has(koa.path)) return false
    koa.set(await count(koa.req))
    // Relative, so that it keeps a path prefix that a proxy took off.
    if (page) await answer(koa, page)
    else koa.redirect(`${koa.path.slice(1)}/`)
    return true
  }
  return async (koa: KoaContext, next: Next): Promise<void> => {
    if (!groups.some(({ paths }) => paths.test(koa.path))) return next()
    const started = performance.now()
    const requestId = app.newId('req')
    koa.set({ 'X-Service-Api-Version': 'v1', 'X-Request-Id': requestId })
    const answered = await tryAnswer(koa).catch((error: unknown) => {
      refuse(koa, error, requestId)
      return true
    })
    if (!answered) return next()
    app.metrics.request('pages', koa.res.statusCode, (performance.now() - started) / 1000)
  }
}
