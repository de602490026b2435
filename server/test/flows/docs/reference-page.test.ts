import { type EndpointSpec, endpoints } from '@integrity/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuide } from '../../../src/pipeline/pages/guide.ts'
import { findChromium, launchChromium, type Watched, watch } from '../../test-support/browser.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

interface Document {
  readonly servers: { readonly url: string }[]
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

const chapters = readGuide().map(({ title }) => title)
const chromium = findChromium('the reference page in a browser')
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

describe('GET /docs', () => {
  it('allows no script but its own, no frame and no other origin', async () => {
    const response = await get('/docs')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(response.status).toBe(200)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
    const html = await response.text()
    expect(html).toContain('<noscript>')
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|https?:\/\//)
  })

  it('refers to scripts and styles by the hash of their content, to be kept for ever, compressed', async () => {
    const html = await (await get('/docs')).text()
    const addresses = [...html.matchAll(/(?:src|href)="(docs\/\w+\.[0-9a-f]{16}\.\w+)"/g)].map((match) => match[1])
    expect(addresses).toHaveLength(3)
    for (const address of addresses) {
      const response = await get(`/${address}`, { 'accept-encoding': 'gzip, br' })
      await response.arrayBuffer()
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('content-encoding')).toBe('br')
      expect(response.headers.get('content-type')).toMatch(/^text\/(?:javascript|css)/)
    }
    expect((await get('/docs/scalar.0000000000000000.js')).status).toBe(404)
  })

  it('gives the guide as text to those without a script', async () => {
    const response = await get('/docs/guide.md', { 'accept-encoding': 'gzip' })
    const text = await response.text()
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    for (const title of chapters) expect(text).toContain(`# ${title}\n`)
  })

  it('leaves every other path to the interface', async () => {
    for (const path of [
      '/docs/',
      '/docs/x',
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

// The viewer takes seconds to draw a document of this size, and much longer on a machine that is busy with other suites.
describe.skipIf(!chromium)('the reference page in a browser', { timeout: 180_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(chromium)
  })
  afterAll(() => browser?.close())

  const openDocs = async (width: number): Promise<{ page: Page; seen: Watched }> => {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    page.setDefaultTimeout(60_000)
    const seen = watch(page)
    await page.goto(`${server.url}/docs`)
    await page.locator('h1', { hasText: chapters[0] ?? '' }).waitFor()
    return { page, seen }
  }
  const onlyHere = ({ errors, requests }: Watched) => {
    expect(errors).toEqual([])
    expect(requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual([])
  }

  it('shows the guide before the endpoints, finds and tries one out here, and asks nobody else', async () => {
    const { page, seen } = await openDocs(1280)
    expect(await page.title()).toContain('Interview Integrity Service')
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    const sidebar = page.locator('aside').first()
    await sidebar.getByText(chapters.at(-1) ?? '', { exact: true }).waitFor()
    const words = (await sidebar.innerText()).split('\n').map((line) => line.trim())
    const places = [...chapters, 'Sessions', 'Published events', 'Agent', 'Health'].map((name) => words.indexOf(name))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)

    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input:visible').fill('/v1/api/me')
    await page.locator('[role=option]:visible', { hasText: '/v1/api/me' }).first().click()
    await page.waitForURL(/#.*\/v1\/api\/me$/)
    await page.locator('h3:visible', { hasText: 'What the presented key is' }).waitFor()

    await page.locator('button:visible', { hasText: 'Test Request(get /v1/api/me)' }).click()
    await page.locator('[role=dialog] input[placeholder=Token]:visible').fill(server.orgs[0].sandboxKey)
    const answered = page.waitForResponse((response) => response.url() === `${server.url}/v1/api/me`)
    await page
      .locator('[role=dialog] button:visible', { hasText: /^\s*Send/ })
      .first()
      .click()
    const response = await answered
    expect(response.status()).toBe(200)
    expect(await response.json()).toMatchObject({ success: true, data: { environment: 'sandbox' } })
    onlyHere(seen)
    await page.close()
  })

  it('does not scroll sideways on a narrow screen', async () => {
    const { page, seen } = await openDocs(320)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(320)
    onlyHere(seen)
    await page.close()
  })
})
