import { type EndpointSpec, endpoints, errorCodes, eventTypes } from '@integrity/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSubjects } from '../../../src/pipeline/pages/docs/docs-subjects.ts'
import { readGuide } from '../../../src/pipeline/pages/guide.ts'
import { findChromium, launchChromium, type Watched, watch } from '../../test-support/browser.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

interface Document {
  readonly servers: { readonly url: string }[]
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const chapters = readGuide().map(({ title }) => title)
const chromium = findChromium('the reference in a browser')
let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { BASE_URL: 'https://integrity.example/service' } })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, headers, redirect: 'manual' })

describe('GET /openapi.json', () => {
  it('is the document of every endpoint, with the guide and the address of this service', async () => {
    const response = await get('/openapi.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const document = (await response.json()) as Document
    expect(document.servers[0]?.url).toBe('https://integrity.example/service')
    for (const title of chapters) expect(document.info.description).toContain(`# ${title}\n`)
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((o) => o.operationId))
    expect(ids.sort()).toEqual((endpoints as readonly EndpointSpec[]).map(({ id }) => id).sort())
  })

  it('answers 304 to its own tag, in each encoding', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const first = await get('/openapi.json', { 'accept-encoding': encoding })
      await first.arrayBuffer()
      expect(first.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(first.headers.get('vary')).toBe('Accept-Encoding')
      const tag = first.headers.get('etag') ?? ''
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get('/openapi.json', { 'accept-encoding': encoding, 'if-none-match': known })
        expect([again.status, await again.text()], known).toEqual([304, ''])
        expect(again.headers.get('etag')).toBe(tag)
      }
      const other = await get('/openapi.json', { 'accept-encoding': encoding, 'if-none-match': '"other"' })
      expect(other.status).toBe(200)
      await other.arrayBuffer()
    }
  })

  it('answers HEAD with the same headers and no body, a preflight, and refuses other methods in the usual form', async () => {
    const [whole, head] = [await get('/openapi.json'), await get('/openapi.json', {}, 'HEAD')]
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['etag', 'content-length', 'content-type'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    await whole.arrayBuffer()
    const preflight = await get('/openapi.json', { origin: 'https://elsewhere.example' }, 'OPTIONS')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('If-None-Match')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const refused = await get('/openapi.json', {}, method)
      expect(refused.status).toBe(405)
      expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect(await refused.json()).toMatchObject({
        success: false,
        error: { code: 'not_found' },
        requestId: refused.headers.get('x-request-id'),
      })
    }
  })
})

const pathsIn = (html: string, page: string): URL[] =>
  [...html.matchAll(/(?:href|src|data-search)="([^"]+)"/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^(?:data:|https:)/.test(address))
    .map((address) => new URL(address.replaceAll('&amp;', '&'), `http://here${page}`))

/** Every page that can be reached from the first one, by its path. */
const readSite = async (): Promise<Map<string, string>> => {
  const pages = new Map<string, string>()
  const waiting = ['/docs']
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const response = await get(next, { 'accept-encoding': 'identity' })
    expect(response.status, next).toBe(200)
    const text = await response.text()
    pages.set(next, text)
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue
    // What a page links to is asked for once.
    for (const { pathname } of pathsIn(text, next))
      if (!pages.has(pathname) && !waiting.includes(pathname) && !pathname.endsWith('.tgz')) waiting.push(pathname)
  }
  return pages
}

describe('GET /docs', () => {
  it('leads to a page for each chapter, endpoint, event and error, and every link in them leads somewhere', async () => {
    const pages = await readSite()
    const idsOf = (page: string) => new Set([...(pages.get(page) ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const { name } of readGuide()) expect(pages.keys()).toContain(`/docs/guide/${name}`)
    for (const type of eventTypes)
      expect(pages.get(`/docs/events/${type}`)).toContain(`&quot;type&quot;: &quot;${type}&quot;`)
    for (const code of Object.keys(errorCodes)) expect(pages.get(`/docs/errors/${code}`)).toContain('Does it help')
    for (const { id, method, path, auth } of endpoints as readonly EndpointSpec[]) {
      const page = [...pages.keys()].find((one) => one.startsWith('/docs/api/') && idsOf(one).has(id))
      expect(pages.get(page ?? ''), id).toContain(`<code>${path}</code>`)
      const samples = (pages.get(page ?? '') ?? '').split(`id="${id}"`)[1]?.split('</section>')[0] ?? ''
      if (auth.some(({ kind }) => kind === 'api_key'))
        for (const language of ['curl', 'typescript', 'python', 'go'])
          expect(samples).toContain(`data-sample="${language}"`)
      expect(samples).toContain(method)
    }
    const dangling = [...pages].flatMap(([page, text]) =>
      pathsIn(text, page)
        .filter(({ pathname, hash }) => hash !== '' && !idsOf(pathname).has(decodeURIComponent(hash.slice(1))))
        .map(({ pathname, hash }) => `${page}: ${pathname}${hash}`),
    )
    expect(dangling).toEqual([])
  })

  it('allows no script but its own, no inline style, no frame and no other origin', async () => {
    const response = await get('/docs')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(response.status).toBe(200)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=|https?:\/\//)
  })

  it('refers to its files by the hash of their content, to be kept for ever, compressed', async () => {
    const html = await (await get('/docs')).text()
    const addresses = [...html.matchAll(/"\.\/(docs\/\w+\.[0-9a-f]{16}[./]\w+(?:\.js)?)"/g)].map((match) => match[1])
    expect(addresses).toHaveLength(3)
    for (const address of addresses) {
      const response = await get(`/${address}`, { 'accept-encoding': 'gzip, br' })
      await response.arrayBuffer()
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('content-encoding')).toBe('br')
    }
    expect((await get('/docs/script.0000000000000000/docs.js')).status).toBe(404)
  })

  it('gives the guide as text', async () => {
    const response = await get('/docs/guide.md', { 'accept-encoding': 'gzip' })
    const text = await response.text()
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    for (const title of chapters) expect(text).toContain(`# ${title}\n`)
  })

  it('leads from an address with a slash behind it to the page without one', async () => {
    for (const path of ['/docs/', '/docs/guide/errors/', '/docs/api/sessions/']) {
      const response = await get(path)
      expect(response.status, path).toBe(308)
      const target = new URL(response.headers.get('location') ?? '', `${server.url}${path}`).pathname
      expect(target).toBe(path.slice(0, -1))
      expect((await get(target)).status).toBe(200)
    }
  })

  it('calls each subject by a name of its own, without an abbreviation that nobody knows', () => {
    const titles = readSubjects().map(({ title }) => title)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
    expect(titles.filter((title) => /^(?:Ats|Sso|Scim|Api)\b/.test(title))).toEqual([])
    for (const title of ['Applicant tracking', 'Single sign-on', 'Directory (SCIM)']) expect(titles).toContain(title)
  })

  it('leaves every other path to the interface', async () => {
    for (const path of [
      '/docs/x',
      '/docs/x/',
      '/docs/style.css/',
      '/docs/guide.md/x',
      '/docs/..%2f',
      '/openapi.json/',
      '/Docs',
      '/openapi.yaml',
    ]) {
      const response = await get(path)
      expect(response.status, path).toBe(404)
      expect(await response.json(), path).toMatchObject({ success: false, error: { code: 'not_found' } })
    }
  })
})

describe('GET /', () => {
  it('says what is running and leads on, under the same policy', async () => {
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const links = pathsIn(await response.text(), '/').map(({ pathname }) => pathname)
    expect(links).toEqual(
      expect.arrayContaining(['/docs/guide/first-call', '/docs/console', '/requests/', '/account/']),
    )
    for (const link of links.filter((one) => one.startsWith('/docs'))) expect((await get(link)).status, link).toBe(200)
  })
})

if (chromium)
  describe('the reference in a browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launchChromium(chromium)
    })
    afterAll(() => browser?.close())

    const open = async (path: string, width = 1280): Promise<{ page: Page; seen: Watched }> => {
      const page = await browser.newPage({ viewport: { width, height: 900 } })
      const seen = watch(page)
      await page.goto(`${server.url}${path}`)
      return { page, seen }
    }
    const onlyHere = ({ errors, requests }: Watched) => {
      expect(errors).toEqual([])
      expect(requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual([])
    }

    it('needs less than 300 kB for its first page, folds away what devices call, and finds a chapter by its words', async () => {
      const { page, seen } = await open('/docs')
      const loaded = await page.evaluate<number>(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, one) => sum + one.transferSize, 0)",
      )
      expect(loaded).toBeGreaterThan(1000)
      expect(loaded).toBeLessThan(300_000)
      const sidebar = page.getByRole('navigation', { name: 'Documentation' })
      expect(await sidebar.getByRole('link', { name: 'Sessions', exact: true }).isVisible()).toBe(true)
      for (const folded of ['Agent', 'Phone', 'Room'])
        expect(await sidebar.getByRole('link', { name: folded, exact: true }).isVisible()).toBe(false)
      await page.keyboard.press('/')
      await page.keyboard.type('idempotency safely')
      await page.getByRole('option', { name: /^Writing safely/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Writing safely' }).waitFor()
      onlyHere(seen)
      await page.close()
    })

    it('tries a request with a sandbox key, sends no other key, and keeps the language that was chosen', async () => {
      const { page, seen } = await open('/docs/api/orgs')
      const me = page.locator('[id="orgs.me"]')
      await me.getByText('Try it with a sandbox key').click()
      await me.getByRole('textbox').first().fill('sk_a_live_key')
      await me.getByRole('button', { name: 'Send' }).click()
      await me.getByText('it begins with sk_test_').waitFor()
      expect(seen.requests.filter((url) => url.includes('/v1/'))).toEqual([])
      await me.getByRole('textbox').first().fill(server.orgs[0].sandboxKey)
      await me.getByRole('button', { name: 'Send' }).click()
      await me.getByText('"environment": "sandbox"').waitFor()
      await me.getByRole('button', { name: 'Python' }).click()
      await page.goto(`${server.url}/docs/api/sessions`)
      expect(await page.locator('[data-sample=python]').first().isVisible()).toBe(true)
      expect(await page.locator('[data-sample=curl]').first().isVisible()).toBe(false)
      onlyHere(seen)
      await page.close()
    })

    it('plays an interview in the console, and shows the requests and the events', async () => {
      const { page, seen } = await open('/docs/console')
      await page.getByLabel('Sandbox key').fill(server.orgs[0].sandboxKey)
      await page.getByRole('button', { name: 'Play an interview' }).click()
      await page.getByRole('list', { name: 'Events' }).getByText('session.scheduled', { exact: true }).waitFor()
      await page.getByRole('list', { name: 'Requests' }).getByText('/simulate · 202').waitFor()
      await page.reload()
      await page.getByRole('list', { name: 'Requests' }).getByText('/simulate · 202').waitFor()
      await page.getByText('in this tab only, also after a reload').waitFor()
      onlyHere(seen)
      await page.close()
    })

    it('begins with a start page that asks the service how it is', async () => {
      const { page, seen } = await open('/', 320)
      await page.getByText(/^Version \S+ runs here and is ready\.$/).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      onlyHere(seen)
      await page.close()
    })

    it('opens at its top on a narrow screen, and does not scroll sideways', async () => {
      const { page } = await open('/docs', 320)
      for (const path of ['/docs', '/docs/api/sessions', '/docs/guide/webhooks', '/docs/errors', '/docs/console']) {
        await page.goto(`${server.url}${path}`)
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320)
        expect(await page.evaluate('scrollY'), path).toBe(0)
      }
      await page.close()
    })
  })
