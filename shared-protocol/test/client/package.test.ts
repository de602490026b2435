import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  signatureHeader,
  signingKeys,
} from '../../../server/src/domains/integrations/webhooks/webhooks.signature.model.ts'
import { buildCaptureSession, film, picture, sha256 } from '../../../server/test/test-support/capture-session.ts'
import { publish } from '../../../server/test/test-support/publish.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { typeCheck } from '../../client/build/type-check.ts'
import { clientTable } from '../../src/client-table.ts'
import {
  builtFiles,
  type Consumer,
  createConsumer,
  docstringExamples,
  examplesOf,
  freePort,
  machineNode,
  runNode,
} from './built-package.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const readme = new URL('../../client/README.md', import.meta.url)

let server: TestServer
let consumer: Consumer
let examples: Map<string, string>
beforeAll(async () => {
  server = await startServer()
  consumer = await createConsumer()
  examples = examplesOf(await readFile(readme, 'utf8'))
})
afterAll(async () => {
  await consumer?.remove()
  await server?.stop()
})

const access = () => ({ BASE_URL: server.url, API_KEY: server.orgs[0].sandboxKey })

describe('the built package', () => {
  it('needs nothing: no module of Node, no schema library, no workspace, nothing outside its folder', async () => {
    const files = await builtFiles(consumer)
    const code = [...files].filter(([name]) => /\.(?:js|d\.ts)$/.test(name))
    expect(code.length).toBeGreaterThan(20)
    for (const [name, text] of code) {
      const imported = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, from = '']) => from)
      // The line in the documentation of the package that shows how it is imported is not one.
      for (const from of name.endsWith('README.md') ? [] : imported)
        expect(from, name).toMatch(/^\.{1,2}\/[\w/-]+\.js$/)
      expect(text, name).not.toMatch(/node:|\bzod\b|@integrity\/protocol/)
    }
    const manifest = JSON.parse(files.get('package.json') ?? '') as Record<string, unknown>
    expect(manifest).not.toHaveProperty('dependencies')
    expect(files.has('LICENSE')).toBe(true)
    const modules = code.filter(([name]) => name.endsWith('.js')).map(([, text]) => text)
    const size = gzipSync(modules.join('')).length
    console.log(`the client's modules: ${modules.join('').length} bytes, ${size} with gzip`)
    expect(size).toBeLessThan(25_000)
  })

  it('has types for the very endpoints that it can call', async () => {
    const declared = (await builtFiles(consumer)).get('endpoint-types.d.ts') ?? ''
    const [, table = ''] = /export interface Endpoints \{\n([\s\S]*?)\n\}/.exec(declared) ?? []
    const idsIn = (text: string) => new Set([...text.matchAll(/^ {2}(?:readonly )?'([\w.]+)':/gm)].map(([, id]) => id))
    expect(idsIn(table).size).toBeGreaterThan(50)
    expect(idsIn(table)).toEqual(idsIn(clientTable()))
  })

  it('type-checks at its strictest for a page and for Node, and so do all its examples', async () => {
    const wrong = await consumer.add(
      'consumer.ts',
      `import { createIntegrityClient, type IntegrityEvent, type Session, type Evidence } from '@integrity/client'
const client = createIntegrityClient({ baseUrl: 'https://service.test', apiKey: 'k' })
export const session: Promise<Session> = client.call('sessions.get', { params: { id: 'ses_1' } })
export const state: Promise<'scheduled' | 'live' | 'ended'> = session.then((one) => one.state)
export const bytes: Promise<Response> = client.call('evidence.content', { params: { id: 'e' }, query: { token: 't' } })
export const created = client.call('sessions.create', { body: { config: { camera: { enabled: false } } } })
export async function evidence(): Promise<Evidence[]> {
  const found: Evidence[] = []
  for await (const item of client.items('sessions.evidence.list', { params: { id: 'ses_1' }, query: { limit: 5 } })) found.push(item)
  return found
}
export const reason = (event: IntegrityEvent): string | null => {
  switch (event.type) {
    case 'session.ended': return event.data.reason
    case 'evidence.ready': return event.data.items?.[0]?.evidenceType ?? null
    default: return event.id
  }
}
// @ts-expect-error a field that sessions do not have
export const colour = session.then((one) => one.colour)
// @ts-expect-error no such endpoint
export const none = client.call('sessions.destroy')
// @ts-expect-error params are needed
export const noParams = client.call('sessions.get')
// @ts-expect-error a number is wanted
export const text = client.call('sessions.list', { query: { limit: 'many' } })
// @ts-expect-error no such field in the body
export const typo = client.call('sessions.create', { body: { externalID: 'x' } })
// @ts-expect-error not a list
export const items = client.items('sessions.get', { params: { id: 'x' } })
// @ts-expect-error data of another type of event
export const other = (event: IntegrityEvent) => (event.type === 'session.ended' ? event.data.evidence : undefined)
// @ts-expect-error an endpoint of the portal's people is not in this client
export const portal = client.call('portal.evidence.list', { params: { id: 'x' } })
`,
    )
    const { module, count } = docstringExamples(await builtFiles(consumer))
    expect(count).toBeGreaterThanOrEqual(15)
    const inPage = { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] }
    expect(typeCheck([wrong, await consumer.add('docstrings.ts', module)], inPage)).toEqual([])
    const paths = await Promise.all([...examples].map(([name, code]) => consumer.add(`example-${name}.ts`, code)))
    expect(paths.length).toBe(8)
    const inNode = { lib: ['lib.es2022.d.ts'], types: ['node'], typeRoots: [`${consumer.folder}/node_modules/@types`] }
    expect(typeCheck([wrong, ...paths], inNode)).toEqual([])
  })

  it("works on the machine's own Node, from 20 on", async ({ skip }) => {
    const node = await machineNode()
    if (!node) {
      if (process.env['CI']) throw new Error('a Node from 20 on is needed in CI')
      console.warn(
        '\n*** SKIPPED: the client on the oldest supported Node; there is no Node 20 or newer on the PATH ***\n',
      )
      return skip('there is no such Node')
    }
    const first = await publish(server)
    const second = await publish(server)
    const session = await buildCaptureSession(server)
    const smoke = await consumer.add(
      'smoke.mjs',
      `import { createIntegrityClient, verifyWebhook } from '@integrity/client'
const { BASE_URL, API_KEY, SESSION_ID, SESSION_TOKEN, LAST, SIGNATURE, BODY, NOW, AT } = process.env
const client = createIntegrityClient({ baseUrl: BASE_URL, apiKey: API_KEY, userAgent: 'smoke/1' })
const { total } = await client.call('sessions.list')
let met = 0
for await (const session of client.items('sessions.list', { query: { limit: 1 } })) met += session.id ? 1 : 0
const event = await verifyWebhook(BODY, SIGNATURE, 'whsec_c2VjcmV0', { now: Number(NOW) })
let streamed
for await (const one of client.streamEvents({ lastEventId: LAST })) { streamed = one.id; break }
const bytes = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(3000, 7)])
const upload = { sessionId: SESSION_ID, source: new Blob([bytes]), evidenceType: 'system_audio_chunk', contentType: 'audio/ogg', capturedAt: AT, durationMs: 1000, metadata: { codec: 'opus' } }
const { evidence } = await createIntegrityClient({ baseUrl: BASE_URL, apiKey: SESSION_TOKEN }).upload(upload)
console.log(JSON.stringify({ total, met, event: event.id, streamed, size: evidence.sizeBytes }))
`,
    )
    const body = JSON.stringify({ ...JSON.parse(second.envelope), data: {} })
    const seconds = Math.floor(Date.now() / 1000)
    const env = {
      ...access(),
      SESSION_ID: session.id,
      SESSION_TOKEN: session.token,
      LAST: first.id,
      SIGNATURE: signatureHeader(signingKeys('whsec_c2VjcmV0'), seconds, Buffer.from(body)),
      BODY: body,
      NOW: String(seconds * 1000),
      AT: new Date(server.clock.now()).toISOString(),
    }
    const { code, output } = await runNode(node.path, [smoke], env, consumer.folder).ended
    expect(code, output).toBe(0)
    const { total } = (await server.client(env.API_KEY).call('sessions.list')).data
    expect(JSON.parse(output)).toEqual({ total, met: total, event: second.id, streamed: second.id, size: 3004 })
    console.log(`the client was run by Node ${node.version}`)
  })
})

interface Browser {
  newPage(): Promise<{
    on(event: 'pageerror', listener: (error: Error) => void): void
    goto(url: string): Promise<unknown>
    waitForFunction(expression: string): Promise<unknown>
    evaluate(expression: string): Promise<unknown>
  }>
  close(): Promise<void>
}
const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell'
const launch = (): Promise<Browser> => {
  const fromServer = createRequire(new URL('../../../server/package.json', import.meta.url))
  const playwright = fromServer('playwright-core') as { chromium: { launch(options: object): Promise<Browser> } }
  return playwright.chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] })
}

/** A page of another origin that loads the package as it is on disk. */
const startOrigin = async (module: string) => {
  const files = await builtFiles(consumer)
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' }
  const origin = createHttpServer((request, response) => {
    const name = (request.url ?? '').slice(1) || 'index.html'
    const page = `<!doctype html><title>page</title><script type="module">${module}</script>`
    const text = name === 'index.html' ? page : files.get(name.replace('client/', ''))
    const type = types[name.split('.').at(-1) ?? ''] ?? 'text/plain'
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      origin.close(() => resolve())
      origin.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}/`, stop }
}

describe('the built package in a page', () => {
  it('of another origin lists sessions, follows events and uploads a file', async ({ skip }) => {
    if (!existsSync(chromium)) {
      if (process.env['CI']) throw new Error('Chromium is needed in CI')
      console.warn('\n*** SKIPPED: the client in a browser; there is no Chromium (CHROMIUM_PATH) ***\n')
      return skip('there is no Chromium')
    }
    const session = await buildCaptureSession(server)
    const start = await publish(server)
    const events = [await publish(server), await publish(server)]
    const bytes = film(1024 * 1024 + 77)
    const known = {
      baseUrl: server.url,
      apiKey: access().API_KEY,
      token: session.token,
      sessionId: session.id,
      lastEventId: start.id,
      capturedAt: new Date(server.clock.now()).toISOString(),
      bytes: bytes.toString('base64'),
    }
    const origin = await startOrigin(`
      import { createIntegrityClient } from './client/index.js'
      const known = ${JSON.stringify(known)}
      const run = async () => {
        const client = createIntegrityClient({ baseUrl: known.baseUrl, apiKey: known.apiKey, userAgent: 'ignored in a page' })
        const ids = []
        for await (const one of client.items('sessions.list', { query: { limit: 1 } })) ids.push(one.id)
        const created = await client.call('sessions.create', { body: { externalId: 'from a page' } })
        const events = []
        for await (const event of client.streamEvents({ lastEventId: known.lastEventId })) if (events.push(event.id) === 2) break
        const source = new File([Uint8Array.from(atob(known.bytes), (c) => c.charCodeAt(0))], 'clip.webm')
        const item = { sessionId: known.sessionId, source, evidenceType: 'screen_clip', contentType: 'video/webm', capturedAt: known.capturedAt, partSize: 1048576 }
        const { evidence } = await createIntegrityClient({ baseUrl: known.baseUrl, apiKey: known.token }).upload(item)
        return { ids, created: created.id, events, sha256: evidence.sha256 }
      }
      run().then((done) => { globalThis.result = done }, (error) => { globalThis.result = String(error.stack) })`)
    const { items } = (await server.client(known.apiKey).call('sessions.list', { query: { limit: 100 } })).data
    const browser = await launch()
    try {
      const page = await browser.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(origin.url)
      await page.waitForFunction('globalThis.result !== undefined')
      const result = (await page.evaluate('globalThis.result')) as Record<string, unknown>
      expect(problems).toEqual([])
      expect(result).toMatchObject({ events: events.map(({ id }) => id), sha256: sha256(bytes) })
      expect(result['ids']).toEqual(items.map(({ id }) => id))
      expect(result['created']).toMatch(/^ses_/)
    } finally {
      await browser.close()
      await origin.stop()
    }
  })
})

describe('the examples of the README', () => {
  const run = async (name: string, env: Record<string, string> = {}) => {
    const code = examples.get(name)
    if (!code) throw new Error(`there is no example ${name}`)
    const file = await consumer.add(`run-${name}.ts`, code)
    return runNode(process.execPath, [file], { ...access(), ...env }, consumer.folder)
  }
  const output = async (name: string, env?: Record<string, string>): Promise<string> => {
    const { code, output: text } = await (await run(name, env)).ended
    expect(code, text).toBe(0)
    return text
  }

  it('are ten lines each, but for imports, settings and braces', () => {
    for (const [name, code] of examples) {
      const lines = code.split('\n').filter((line) => !/^\s*$|^import|process\.env|^[\s})]*$/.test(line))
      expect(lines.length, name).toBeLessThanOrEqual(10)
    }
  })

  it('list: print the sessions and their number', async () => {
    const api = server.client(access().API_KEY)
    const { data } = await api.call('sessions.create', { body: { externalId: 'shown' } })
    expect(await output('list')).toMatch(new RegExp(`^${data.id} shown\n(?:ses_.*\n)*\\d+ of \\d+\n$`))
  })

  it('create: run twice make one session', async () => {
    const [first, second] = [await output('create'), await output('create')]
    expect(first).toMatch(/^ses_\w+ ajt_/)
    expect(second).toBe(first)
  })

  it('iterate and upload: what was uploaded is met', async () => {
    // The server's clock stands still; the example takes the real one.
    server.clock.advance(Date.now() - server.clock.now())
    const session = await buildCaptureSession(server)
    const bytes = film(5 * 1024 * 1024)
    const path = join(consumer.folder, 'clip.webm')
    await writeFile(path, bytes)
    const uploaded = await output('upload', { SESSION_ID: session.id, SESSION_TOKEN: session.token, FILE: path })
    expect(uploaded).toMatch(new RegExp(`${bytes.length} of ${bytes.length}\nevd_\\w+\n$`))
    expect(await output('iterate')).toContain(`${session.id} screen_clip ${bytes.length}\n`)
  })

  it('packs: what was sent together is there', async () => {
    server.clock.advance(Date.now() - server.clock.now())
    const session = await buildCaptureSession(server)
    const path = join(consumer.folder, 'still.webp')
    await writeFile(path, await picture())
    const env = { SESSION_ID: session.id, SESSION_TOKEN: session.token, PICTURE: path }
    expect(await output('packs', env)).toMatch(/^stored evd_\w+\n$/)
    expect(await output('packs', env)).toMatch(/^known evd_\w+\n$/)
  })

  it('webhook: answer 204 to what is genuine and 400 to the rest', async () => {
    const port = await freePort()
    const secret = 'whsec_c2VjcmV0'
    const running = await run('webhook', { PORT: String(port), WEBHOOK_SECRET: secret })
    try {
      const event = { id: 'evt_7', type: 'webhook.test', data: { webhook: { id: 'whk_7' } } }
      const body = JSON.stringify(event)
      const signature = signatureHeader(signingKeys(secret), Math.floor(Date.now() / 1000), Buffer.from(body))
      const deliver = async (text: string) =>
        fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body: text,
          headers: { 'x-service-signature': signature },
        })
      const answer = await vi.waitFor(() => deliver(body), { timeout: 20_000, interval: 50 })
      expect(answer.status).toBe(204)
      expect((await deliver(`${body} `)).status).toBe(400)
      expect(await running.line(/evt_7/)).toBe('evt_7 whk_7')
    } finally {
      running.stop()
      await running.ended
    }
  })

  it('stream: go on after the event that is named', async () => {
    const first = await publish(server)
    const second = await publish(server)
    const running = await run('stream', { LAST_EVENT_ID: first.id })
    try {
      expect(await running.line(/evt_/)).toBe(`${second.id} session.scheduled`)
      const third = await publish(server)
      await running.line(new RegExp(third.id))
      expect(running.lines).toHaveLength(2)
    } finally {
      running.stop()
      await running.ended
    }
  })

  it('errors: say what was wrong', async () => {
    expect(await output('errors')).toMatch(/^400 invalid_request \S*limit req_\w+\n$/)
    expect(await output('errors', { BASE_URL: 'http://127.0.0.1:9' })).toMatch(/^no_answer 2\n$/)
  })
})
