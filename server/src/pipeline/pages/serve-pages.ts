import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@integrity/protocol'
import type { Context as KoaContext, Next } from 'koa'
import type { Needs } from '../../kernel/call.ts'
import { companionPages } from './companion-pages.ts'
import { deskPages } from './desk-page.ts'
import { docsSite } from './docs/docs-site.ts'
import type { Page } from './page.ts'
import { roomPages } from './room-pages.ts'
import { verifyPages } from './verify-page.ts'
import { changePasswordPath, wellKnownPages } from './well-known-pages.ts'

const allowed = 'GET, HEAD, OPTIONS'

/** Pages by path. */
interface Pages {
  get(path: string): Page | undefined
}
/** Pages that are made together, at the first request for one of them. */
interface PageGroup {
  readonly paths: RegExp
  readonly make: (app: Needs<'clock' | 'config'>) => Pages
}
const groups: readonly PageGroup[] = [
  {
    paths: /^\/(?:openapi\.json|asyncapi\.json|schemas\/events\/[\w.]+|docs(?:\/[\w./-]*)?)?$/,
    make: ({ config }) => docsSite(config.baseUrl),
  },
  { paths: /^\/companion(?:\/(?:[\w./-]+)?)?$/, make: () => companionPages() },
  {
    paths: /^\/\.well-known\/(?:security\.txt|change-password)$/,
    make: ({ clock, config }) => wellKnownPages(config, () => clock.now()),
  },
  { paths: /^\/(?:desk(?:\/[\w./-]*)?|account\/?)$/, make: () => deskPages() },
  { paths: /^\/verify\/?$/, make: () => verifyPages() },
  {
    paths: /^\/(?:room|invitation|requests|access|password|invite|interviewer|preview)(?:\/(?:assets\/[\w.-]+)?)?$/,
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
  '/interviewer',
  '/preview',
  '/account',
  '/companion',
  '/verify',
  '/desk',
])

/** A page of the documentation with a slash behind it, whose relative addresses would lead astray. */
const isSlashedDocs = (path: string): boolean => /^\/docs\/(?:[\w./-]*\/)?$/.test(path)

/** Counts a request; answers the headers of its ceiling, or throws. */
type Count = (request: IncomingMessage) => Promise<Record<string, string>>
/** Turns an error into an answer. */
type Refuse = (koa: KoaContext, error: unknown, requestId: string) => void

/**
 * Koa's middleware in front of the pipeline. These pages are the same for everybody and come out of memory: they need
 * no credential and no database, and count against their own ceiling of the address.
 */
export const servePages = (app: Needs<'clock' | 'config' | 'metrics' | 'newId'>, count: Count, refuse: Refuse) => {
  const made = new Map<PageGroup, Pages>()
  const pagesOf = (group: PageGroup): Pages => {
    const pages = made.get(group) ?? group.make(app)
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
    const slashed = group && !page && isSlashedDocs(koa.path) && pagesOf(group).get(koa.path.slice(0, -1))
    if (!page && !slashed && !folders.has(koa.path) && koa.path !== changePasswordPath) return false
    koa.set(await count(koa.req))
    // Relative, so that it keeps a path prefix that a proxy took off.
    if (page) await answer(koa, page)
    else if (koa.path === changePasswordPath) koa.redirect('../password/')
    else if (slashed) {
      koa.redirect(`../${koa.path.split('/').at(-2)}`)
      koa.status = 308
    } else koa.redirect(`${koa.path.slice(1)}/`)
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
