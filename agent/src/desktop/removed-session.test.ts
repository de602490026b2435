import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../test/test-support/until.ts'
import { SessionService } from '../core/session/test-support/session-service.ts'
import { failure, type Handler, ScriptedServer } from '../core/upload/test-support/scripted-server.ts'
import { ManualClock } from '../shared/test-support/manual-clock.ts'
import { TestDesktop } from './test-support/test-desktop.ts'

let dir: string
let clock: ManualClock
let service: SessionService
let server: ScriptedServer
let handle: Handler
let baseUrl: string
let desktop: TestDesktop | undefined

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'removed-'))
  clock = new ManualClock()
  service = new SessionService(() => clock.wallMs())
  handle = service.handle
  server = new ScriptedServer((request) => handle(request))
  baseUrl = await server.listen()
})
afterEach(async () => {
  await desktop?.agent.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const open = async (): Promise<TestDesktop> => {
  desktop = await TestDesktop.open({ dir, clock, baseUrl })
  return desktop
}
/** While folders are being deleted a listing may meet one that is gone. */
const isGone = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return []
  throw error
}
const itemFiles = async (): Promise<string[]> =>
  (await readdir(join(dir, 'spool'), { recursive: true }).catch(isGone)).filter((name) => name.endsWith('.item'))

const noItemFiles = () => until('the files to be gone', async () => (await itemFiles()).length === 0)

/** Nobody answers, so that what is captured stays unsent. */
const away = (): void => {
  server.outage = 'hang_up'
}

describe('a session that the service has removed', () => {
  for (const status of [404, 410] as const)
    it(`ends calmly and leaves nothing on the disk (${status})`, async () => {
      const agent = await open()
      await agent.record()
      away()
      await agent.capture.still()
      await agent.until(({ unsent }) => unsent.items === 1)
      expect(await itemFiles()).toHaveLength(1)
      service.gone = status
      server.outage = undefined
      // The end is shown at once, the deletion follows it.
      await agent.until(({ screen, unsent }) => screen === 'done' && unsent.items === 0)
      expect(agent.state).toMatchObject({
        unsent: { items: 0, events: 0, bytes: 0 },
        ended: { by: 'service', removed: true },
      })
      expect(agent.state.problem).toBeUndefined()
      expect(agent.capture.running).toEqual([])
      await noItemFiles()
      await agent.agent.close()
      expect((await open()).state.screen).toBe('code')
    })

  it('is found so after a restart', async () => {
    const first = await open()
    await first.record()
    away()
    await first.capture.still()
    await first.agent.close()
    service.gone = 404
    server.outage = undefined
    const second = await open()
    await second.until(({ screen }) => screen === 'done')
    expect(second.state.ended).toMatchObject({ by: 'service', removed: true })
    await noItemFiles()
  })

  it('is found so while the rest is sent', async () => {
    const agent = await open()
    await agent.record()
    away()
    await agent.capture.still()
    await agent.agent.handlers['recording.end']({})
    expect(agent.state.screen).toBe('finishing')
    service.gone = 404
    server.outage = undefined
    await agent.until(({ screen }) => screen === 'done')
    await agent.until(({ unsent }) => unsent.items === 0)
    await noItemFiles()
    expect(agent.state.ended?.removed).toBe(true)
  })

  it('is not believed after one answer, nor from something that is not the service', async () => {
    const agent = await open()
    await agent.record()
    let misses = 0
    handle = (request) => {
      if (!request.path.includes('/config') || misses > 0) return service.handle(request)
      misses += 1
      return failure(404, 'not_found')
    }
    await agent.until(() => misses === 1)
    const reads = () => server.seen.filter(({ path }) => path.includes('/config')).length
    const before = reads()
    await agent.until(() => reads() >= before + 3)
    expect(agent.state.screen).toBe('recording')
    handle = () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<p>Not here' })
    await agent.capture.still()
    const later = reads()
    await agent.until(() => reads() >= later + 3)
    expect(agent.state).toMatchObject({ screen: 'recording', unsent: { items: 1 } })
  })
})

it('an erased session, which takes nothing more, is ended without a claim that everything was sent', async () => {
  const agent = await open()
  await agent.record()
  away()
  await agent.capture.still()
  handle = (request) => (request.path.includes('/config') ? service.handle(request) : failure(409, 'conflict'))
  service.state = 'ended'
  server.outage = undefined
  await agent.until(({ screen }) => screen === 'done')
  expect(agent.state.notices).toEqual([expect.objectContaining({ kind: 'refused_items' })])
  await noItemFiles()
  await agent.agent.handlers['session.forget']({})
  expect(agent.state).toMatchObject({ screen: 'code', notices: [] })
})
