import { hostname } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '../core/upload/test-support/scripted-server.ts'
import { exitCodes } from './run-headless.ts'
import { HeadlessPlace } from './test-support/headless-place.ts'

let place: HeadlessPlace

beforeEach(async () => {
  place = await HeadlessPlace.open()
})
afterEach(() => place.close())

describe('headless agent: recording', () => {
  it("tells the computer's name with the consent, and not before", async () => {
    await place.recording()
    const told = place.server.seen.find(({ body }) => body.includes(`"name":"${hostname()}"`))
    expect(told?.path).toBe('/v1/sessions')
    expect(place.server.seen[0]?.path).toBe('/v1/sessions/join')
  })

  it('registers with what this machine can and cannot observe', async () => {
    await place.recording()
    expect(place.service.registrations[0]).toMatchObject({
      captureKey: { key: expect.any(String) },
      device: { name: hostname(), appVersion: '0.0.0-test', platform: process.platform },
      capabilities: [
        { observer: 'displays', status: 'observable' },
        { observer: 'screen_lock', status: 'not_observable', why: 'no session bus' },
      ],
    })
  })

  it('delivers items, lane health, gaps, coverage and observations in the contract’s shapes', async () => {
    const agent = await place.recording()
    await agent.capture.still()
    const begun = place.clock.wallMs()
    place.clock.advance(20_000)
    const at = place.clock.wallMs()
    agent.capture.sink?.health({ lane: 'screen', displayId: ':1.0', state: 'down', reason: 'driver_failed', since: at })
    agent.capture.sink?.gap({ lane: 'screen', displayId: ':1.0', from: at - 5000, to: at, reason: 'unplugged' })
    agent.capture.windows.push({
      lane: 'screen',
      fromAt: at - 10_000,
      toAt: at,
      expectedSeconds: 10,
      observedSeconds: 5,
      gaps: [{ from: at - 7000, to: at - 2000, reason: 'driver_failed' }],
    })
    agent.observers.sink?.emit({
      kind: 'display.added',
      observedAt: at,
      monotonicMs: 5,
      source: 'displays',
      data: {
        observerVersion: 1,
        method: 'xrandr',
        value: { id: 'HDMI-1', x: 0, y: 0, width: 1920, height: 1080, primary: true },
      },
    })
    await agent.until(
      () => place.service.eventsOf('lane.coverage').length > 0 && place.service.evidence.stored.size === 1,
    )
    const iso = (ms: number) => new Date(ms).toISOString()
    expect(place.service.eventsOf('lane.health')).toEqual([
      { lane: 'screen', displayId: ':1.0', health: 'down', reason: 'driver_failed' },
    ])
    const [unplugged, failed, starting] = place.service.eventsOf('lane.gap')
    expect([unplugged, failed]).toEqual([
      { lane: 'screen', displayId: ':1.0', fromAt: iso(at - 5000), toAt: iso(at), reason: 'unplugged' },
      { lane: 'screen', fromAt: iso(at - 7000), toAt: iso(at - 2000), reason: 'driver_failed' },
    ])
    expect(starting).toMatchObject({ lane: 'screen', toAt: iso(at - 10_000), reason: 'starting' })
    expect(Date.parse(String(starting?.['fromAt']))).toBeLessThanOrEqual(begun)
    expect(place.service.eventsOf('lane.coverage')).toEqual([
      { lane: 'screen', fromAt: iso(at - 10_000), toAt: iso(at - 7000), expectedSeconds: 3, observedSeconds: 3 },
      { lane: 'screen', fromAt: iso(at - 2000), toAt: iso(at), expectedSeconds: 2, observedSeconds: 2 },
    ])
    expect(place.service.eventsOf('display.added')).toHaveLength(1)
  })

  it('stops a lane the policy turns off, at the next config read', async () => {
    const agent = await place.recording()
    expect(agent.capture.running).toEqual(['screen', 'microphone'])
    place.service.setConfig({ audio: { microphone: false } })
    await agent.until(() => agent.capture.running.length === 1)
    expect(agent.capture.running).toEqual(['screen'])
  })

  it('asks for the config with its ETag', async () => {
    const agent = await place.recording()
    const reads = () => place.server.seen.filter((request) => request.path.endsWith('/config'))
    await agent.until(() => reads().length >= 3)
    expect(reads()[0]?.headers['if-none-match']).toBeUndefined()
    expect(reads()[2]?.headers['if-none-match']).toBe('"1-live"')
  })

  it('stops its lanes and sends what is left when the service ends the session', async () => {
    const agent = await place.recording()
    await agent.capture.still()
    place.service.state = 'ended'
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(agent.capture.calls).toContain('stop')
    expect(place.service.ends).toEqual([])
    expect(place.service.evidence.stored.size).toBe(1)
  })

  it('ends the session when it is told to stop, after the lanes have delivered, and says how much is left', async () => {
    const agent = await place.recording('--drain-seconds', '3600')
    await agent.capture.still()
    agent.stop()
    expect(await agent.ended()).toBe(exitCodes.done)
    const captureEnd = expect.objectContaining({ items: 1 })
    expect(place.service.ends).toEqual([{ reason: 'completed', endedAt: expect.stringMatching(/Z$/), captureEnd }])
    expect(place.service.evidence.stored.size).toBe(1)
    expect(place.service.eventsOf('agent.stopping')).toHaveLength(1)
    expect(agent.text).toContain('to be sent 0 items')
  })

  it.each([
    [[], 'See your data, or ask for it: {}\n'],
    [['--json'], '{"type":"requests","address":"{}"}\n'],
  ])('says last of all where to see what is kept, without a secret (%j)', async (options, line) => {
    const agent = await place.recording('--drain-seconds', '3600', ...options)
    agent.stop()
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(agent.text.endsWith(line.replace('{}', `${place.baseUrl}/requests/#ses_1`))).toBe(true)
    expect(place.service.requestLinks).toEqual([])
  })

  it('notes one gap for a stretch in which the spool had no room', async () => {
    const agent = await place.recording('--max-spool-mb', '0.02')
    place.server.outage = 'hang_up'
    const from = place.clock.wallMs()
    await agent.capture.still(':1.0', 15_000)
    for (let index = 0; index < 3; index += 1) {
      place.clock.advance(1000)
      await agent.capture.still(':1.0', 15_000)
    }
    place.server.outage = undefined
    await agent.until(() => place.service.evidence.stored.size === 1)
    // The acknowledgement frees the room a moment after the server has stored the bytes.
    while (place.service.evidence.stored.size === 1) {
      await agent.capture.still(':1.0', 15_000)
      for (let step = 0; step < 5; step += 1) {
        place.clock.advance(50)
        await turn()
      }
    }
    await agent.until(() => place.service.eventsOf('lane.gap').length > 0)
    const gaps = place.service.eventsOf('lane.gap')
    expect(gaps).toHaveLength(1)
    expect(gaps[0]).toMatchObject({ lane: 'screen', displayId: ':1.0', reason: 'storage_full' })
    expect(Date.parse(String(gaps[0]?.['fromAt']))).toBeGreaterThanOrEqual(from + 1000)
  })

  it('stops and says so when its token is not accepted any more', async () => {
    const agent = await place.recording()
    place.server.script.push(...Array.from({ length: 50 }, () => failure(401, 'unauthorized')))
    await agent.capture.still()
    expect(await agent.ended()).toBe(exitCodes.failed)
    expect(agent.capture.calls).toContain('stop')
    expect(agent.text).toContain('does not accept the session token')
  })

  it('says in words that the join code is not known', async () => {
    place.service.codeUsed = true
    const agent = place.run(...place.joinArgs(), '--yes-consent')
    expect(await agent.ended()).toBe(exitCodes.failed)
    expect(agent.text).toContain('404 not_found')
  })
})

describe('headless agent: command line', () => {
  it('explains itself', async () => {
    const agent = place.run('--help')
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(agent.text).toContain('--yes-consent')
  })

  it('names what is wrong with a call', async () => {
    const agent = place.run('--server', place.baseUrl, '--join', 'no-such-code')
    expect(await agent.ended()).toBe(exitCodes.usage)
    expect(agent.text).toContain('a join code has 8 letters and digits')
  })

  it('prints JSON lines when asked', async () => {
    const agent = await place.recording('--json')
    await agent.until(() => agent.text.includes('"type":"status"'))
    for (const line of agent.text
      .trim()
      .split('\n')
      .filter((text) => text.startsWith('{'))) {
      expect(JSON.parse(line)).toHaveProperty('type')
    }
  })
})
