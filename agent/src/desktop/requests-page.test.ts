import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionService } from '../core/session/test-support/session-service.ts'
import {
  failure,
  type Handler,
  ScriptedServer,
  type SeenRequest,
  success,
} from '../core/upload/test-support/scripted-server.ts'
import { ManualClock } from '../shared/test-support/manual-clock.ts'
import { RequestsPage } from './requests-page.ts'
import { TestDesktop } from './test-support/test-desktop.ts'

const exchangePath = '/v1/candidate-requests/links/session'
const html = { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>Not here' }

let dir: string
let clock: ManualClock
let service: SessionService
let handle: Handler
let server: ScriptedServer
let origin: string
let desktop: TestDesktop | undefined
let troubles: string[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'requests-page-'))
  clock = new ManualClock()
  service = new SessionService(() => clock.wallMs())
  handle = service.handle
  server = new ScriptedServer((request) => handle(request))
  origin = await server.listen()
  troubles = []
})
afterEach(async () => {
  await desktop?.agent.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const open = async (baseUrl = origin): Promise<TestDesktop> => {
  const onTrouble = (trouble: string): void => void troubles.push(trouble)
  desktop = await TestDesktop.open({ dir, clock, baseUrl }, { onTrouble })
  return desktop
}
const end = async (agent: TestDesktop): Promise<TestDesktop> => {
  await agent.agent.handlers['recording.end']({})
  await agent.until(({ screen }) => screen === 'done')
  return agent
}
const finished = async (...how: Parameters<typeof open>): Promise<TestDesktop> => {
  const agent = await open(...how)
  await agent.record()
  return end(agent)
}
const press = (agent: TestDesktop) => agent.agent.handlers['requests.open']({})
const opened = ({ calls }: TestDesktop) => calls.filter((call) => call.startsWith('open ')).map((call) => call.slice(5))
const exchanges = (): SeenRequest[] => server.seen.filter(({ path }) => path.endsWith(exchangePath))
/** Only the exchange is answered so; the rest of the service is there. */
const exchangeGives = (answer: () => ReturnType<Handler>): void => {
  handle = (request) => (request.path.endsWith(exchangePath) ? answer() : service.handle(request))
}

describe('the way from a finished session to what is kept of it', () => {
  it("exchanges the session's token when pressed, and opens the link in the browser", async () => {
    const agent = await finished()
    expect(agent.state.session?.requestsAddress).toBe(`${origin}/requests/#ses_1`)
    expect(exchanges()).toEqual([])
    expect(await press(agent)).toEqual({ done: true, opened: 'link' })
    expect(exchanges().map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['POST', 'Bearer sst_1'],
    ])
    expect(opened(agent)).toEqual([`${origin}/requests/#ses_1.${service.requestLinks[0]}`])
  })

  it('shows the window neither the link nor the token', async () => {
    const agent = await finished()
    const answer = await press(agent)
    const shown = JSON.stringify([answer, agent.states, agent.state, troubles])
    expect(service.requestLinks).toHaveLength(1)
    expect(shown).not.toMatch(/crq_|sst_/)
  })

  it('makes one link for two presses at once, and a new one for a later press', async () => {
    const agent = await finished()
    const both = await Promise.all([press(agent), press(agent)])
    expect(both).toEqual([
      { done: true, opened: 'link' },
      { done: true, opened: 'link' },
    ])
    expect(exchanges()).toHaveLength(1)
    expect(opened(agent)).toHaveLength(1)
    await press(agent)
    expect(opened(agent).map((address) => address.split('.').at(-1))).toEqual(service.requestLinks)
    expect(service.requestLinks).toHaveLength(2)
  })

  it('is there while the rest is sent, and after a restart in the middle of that', async () => {
    const first = await open()
    await first.record()
    handle = (request) =>
      /\/(?:packs|screenshots)$/.test(request.path) ? failure(503, 'internal_error') : service.handle(request)
    await first.capture.still()
    await first.agent.handlers['recording.end']({})
    await first.until(({ screen }) => screen === 'finishing')
    expect(await press(first)).toEqual({ done: true, opened: 'link' })
    expect(first.state).toMatchObject({ screen: 'finishing', unsent: { items: 1 } })
    await first.agent.close()
    const second = await open()
    await second.until(({ screen }) => screen === 'finishing')
    expect(await press(second)).toEqual({ done: true, opened: 'link' })
    expect(opened(second)).toEqual([`${origin}/requests/#ses_1.${service.requestLinks[1]}`])
    handle = service.handle
    await second.until(({ screen }) => screen === 'done')
    expect(await press(second)).toEqual({ done: true, opened: 'link' })
  })

  it('is not there before the end, nor after a no, when nothing can be kept', async () => {
    const agent = await open()
    await agent.record()
    expect(agent.state.session?.requestsAddress).toBeUndefined()
    expect(await press(agent)).toMatchObject({ done: false })
    await end(agent)
    await agent.agent.handlers['session.forget']({})
    expect(await press(agent)).toMatchObject({ done: false })
    service.codeUsed = false
    service.state = 'scheduled'
    await agent.join()
    await agent.agent.handlers['consent.decline']({})
    await agent.until(({ screen }) => screen === 'refused')
    expect(agent.state.session?.requestsAddress).toBeUndefined()
    expect(await press(agent)).toMatchObject({ done: false })
    expect([exchanges(), opened(agent)]).toEqual([[], []])
  })

  it('stays under the path at which the service is', async () => {
    handle = (request) =>
      request.path.startsWith('/integrity/')
        ? service.handle({ ...request, path: request.path.slice('/integrity'.length) })
        : html
    const agent = await finished(`${origin}/integrity`)
    expect(agent.state.session?.requestsAddress).toBe(`${origin}/integrity/requests/#ses_1`)
    await press(agent)
    expect(opened(agent)).toEqual([`${origin}/integrity/requests/#ses_1.${service.requestLinks[0]}`])
  })
})

describe('where no link can be had', () => {
  it.each([
    ['the token is over', () => failure(401, 'unauthorized')],
    ['the service is older than this', () => failure(404, 'not_found')],
    ['the session was erased', () => failure(409, 'conflict')],
    ['there were too many', () => failure(429, 'rate_limited')],
    ['the answer holds none', () => success({}, 201)],
    ['the answer is empty', () => success(undefined, 201)],
    ['the token is no token', () => success({ token: 'crq_/../../x?y=1#' }, 201)],
    ['the token is of another kind', () => success({ token: `sst_${'0'.repeat(32)}` }, 201)],
  ])('the page that asks for one opens: %s', async (_why, answer) => {
    exchangeGives(answer)
    const agent = await finished()
    expect(await press(agent)).toEqual({ done: true, opened: 'address' })
    expect(opened(agent)).toEqual([`${origin}/requests/#ses_1`])
    expect(agent.state).toMatchObject({ screen: 'done' })
    expect(agent.state.problem).toBeUndefined()
    expect(troubles.filter((trouble) => trouble.startsWith('no link to the requests: '))).toHaveLength(1)
  })

  it('the page that asks for one opens for a session that the service has removed', async () => {
    const agent = await open()
    await agent.record()
    service.gone = 404
    await agent.until(({ screen }) => screen === 'done')
    expect(await press(agent)).toEqual({ done: true, opened: 'address' })
    expect(opened(agent)).toEqual([`${origin}/requests/#ses_1`])
  })

  it('and the session was closed by the service, the page that asks for one opens all the same', async () => {
    const agent = await open()
    await agent.record()
    handle = () => failure(401, 'unauthorized')
    await agent.capture.still()
    await agent.until(({ screen }) => screen === 'failed')
    expect(await press(agent)).toEqual({ done: true, opened: 'address' })
  })

  it.each([
    [
      'nobody answers',
      'server_unreachable',
      () => {
        server.onRequest = () => {
          server.onRequest = undefined
          throw new Error('away')
        }
      },
    ],
    ['the service is down', 'server_unreachable', () => server.script.push(failure(503, 'internal_error'))],
    ['something else answers', 'not_the_service', () => server.script.push(html)],
  ] as const)('and %s, no page opens and it is said in words (%s)', async (_why, code, fail) => {
    const agent = await finished()
    await agent.until(({ network }) => network.state === 'online')
    fail()
    expect(await press(agent)).toMatchObject({ done: false, problem: { code } })
    expect(opened(agent)).toEqual([])
    expect(agent.state.screen).toBe('done')
    expect(await press(agent)).toEqual({ done: true, opened: 'link' })
  })

  it('and nobody answers in a time for which a person waits, it is said in words', async () => {
    const silent = new ScriptedServer(() => success({}))
    const held = Promise.withResolvers<void>()
    silent.onRequest = () => held.promise
    const pages: string[] = []
    const client = createClient({ baseUrl: await silent.listen(), token: 'sst_1' })
    const page = new RequestsPage({
      browser: { open: async (address) => void pages.push(address) },
      client: () => client,
      address: () => 'https://interviews.example/requests/#ses_1',
      onTrouble: (trouble) => troubles.push(trouble),
      answerWithinMs: 50,
    })
    expect(await page.open()).toMatchObject({ done: false, problem: { code: 'server_unreachable' } })
    expect(pages).toEqual([])
    held.resolve()
    await silent.close()
  })

  it('because no browser opens, it is said without a trace of the link', async () => {
    const agent = await finished()
    agent.browser.fails = true
    expect(await press(agent)).toEqual({ done: false, problem: { code: 'browser_not_opened' } })
    expect(troubles).toEqual(['the browser was not opened: Error'])
    expect(service.requestLinks).toHaveLength(1)
  })
})

it('an answer that names another host is never followed there', async () => {
  service.baseUrl = 'https://elsewhere.example'
  const agent = await finished()
  await press(agent)
  expect(opened(agent)).toEqual([`${origin}/requests/#ses_1.${service.requestLinks[0]}`])
})
