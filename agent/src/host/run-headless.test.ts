import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ScriptedCapture, ScriptedObservers } from '../session/testing/scripted-capture.ts'
import { SessionService } from '../session/testing/session-service.ts'
import { ManualClock } from '../spool/testing/manual-clock.ts'
import { failure, ScriptedServer } from '../upload/testing/scripted-server.ts'
import { exitCodes, runHeadless } from './run-headless.ts'

let dir: string
let clock: ManualClock
let service: SessionService
let server: ScriptedServer
let baseUrl: string
const agents: Agent[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headless-'))
  clock = new ManualClock()
  service = new SessionService(() => clock.wallMs())
  server = new ScriptedServer(service.handle)
  baseUrl = await server.listen()
})
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.leave()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

/** One run of the agent, with lanes that a test drives and a clock that it turns. */
class Agent {
  readonly input = new PassThrough()
  readonly #output = new PassThrough()
  readonly capture = new ScriptedCapture(clock)
  readonly observers = new ScriptedObservers()
  readonly #stop = new AbortController()
  readonly #leave = new AbortController()
  readonly #lines: string[] = []
  readonly exit: Promise<number>
  #over = false

  constructor(...args: string[]) {
    this.#output.setEncoding('utf8').on('data', (text: string) => this.#lines.push(text))
    this.exit = runHeadless(['--data', dir, ...args], {
      input: this.input,
      output: this.#output,
      stop: this.#stop.signal,
      leave: this.#leave.signal,
      clock,
      capture: this.capture,
      observers: this.observers,
      version: '0.0.0-test',
      openLive: () => ({ start: () => undefined, stop: async () => undefined }),
    }).finally(() => {
      this.#over = true
    })
    agents.push(this)
  }

  get text(): string {
    return this.#lines.join('')
  }

  /** Turns the clock until it is so. The test's own time-out is what ends it otherwise. */
  async until(what: () => boolean): Promise<void> {
    while (!what()) {
      if (this.#over && !what()) throw new Error(`the agent ended before:\n${this.text}`)
      clock.advance(50)
      await turn()
    }
  }

  async ended(): Promise<number> {
    await this.until(() => this.#over)
    return this.exit
  }

  stop(): void {
    this.#stop.abort()
  }

  /** As near to a kill as a test in one process comes: nothing is ended, nothing is sent. */
  async leave(): Promise<void> {
    this.#leave.abort()
    await this.ended()
  }
}

const joinArgs = () => ['--server', baseUrl, '--join', 'k7qf-2m9x']
const recording = async (...more: string[]): Promise<Agent> => {
  const agent = new Agent(...joinArgs(), '--yes-consent', ...more)
  await agent.until(() => agent.capture.running.length > 0 && service.eventsOf('agent.started').length > 0)
  return agent
}

describe('headless agent: consent', () => {
  it('prints what would be collected and, refused, records and sends nothing', async () => {
    const agent = new Agent(...joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.write('no\n')
    expect(await agent.ended()).toBe(exitCodes.refused)
    expect(agent.text).toContain('Your screen [screen] — needed for this interview')
    expect(agent.text).toContain('Pictures of your displays.')
    expect(agent.text).toContain('has set 90 days as the time it may be kept.')
    expect(server.seen.map((request) => request.path)).toEqual(['/v1/sessions/join'])
    expect(agent.text).not.toContain('/requests/')
    expect(agent.capture.calls.filter((call) => call !== 'stop')).toEqual([])
  })

  it('takes an end of the input for a no', async () => {
    const agent = new Agent(...joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.end()
    expect(await agent.ended()).toBe(exitCodes.refused)
    expect(service.registrations).toEqual([])
  })

  it('declines a lane by name and never starts it', async () => {
    const agent = new Agent(...joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.write('screen\n')
    await agent.until(() => agent.text.includes('screen cannot be declined'))
    agent.input.write('microphone\n')
    await agent.until(() => agent.capture.running.length > 0)
    expect(agent.capture.running).toEqual(['screen'])
    expect(service.registrations[0]).toMatchObject({
      consent: {
        version: '1',
        locale: 'en',
        documentHash: 'a'.repeat(64),
        lanes: { screen: true, microphone: false, signals: true },
      },
    })
  })

  it('asks again when the document changed while it was read', async () => {
    const agent = new Agent(...joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    service.documentHash = 'b'.repeat(64)
    agent.input.write('yes\n')
    await agent.until(() => agent.text.split('Type "yes"').length === 3)
    expect(service.registrations).toEqual([])
    expect(agent.capture.running).toEqual([])
    agent.input.write('yes\n')
    await agent.until(() => agent.capture.running.length > 0)
    expect(service.registrations[0]).toMatchObject({ consent: { documentHash: 'b'.repeat(64) } })
  })

  it('refuses on the command line a lane that is needed, before anything is recorded', async () => {
    const agent = new Agent(...joinArgs(), '--yes-consent', '--decline', 'screen')
    expect(await agent.ended()).toBe(exitCodes.refused)
    expect(agent.text).toContain('screen cannot be declined')
    expect(service.registrations).toEqual([])
  })
})

describe('headless agent: recording', () => {
  it('registers with what this machine can and cannot observe', async () => {
    await recording()
    expect(service.registrations[0]).toMatchObject({
      device: { appVersion: '0.0.0-test', platform: process.platform },
      capabilities: [
        { observer: 'displays', status: 'observable' },
        { observer: 'screen_lock', status: 'not_observable', why: 'no session bus' },
      ],
    })
  })

  it('delivers items, lane health, gaps, coverage and observations in the contract’s shapes', async () => {
    const agent = await recording()
    await agent.capture.still()
    const at = clock.wallMs()
    agent.capture.sink?.health({ lane: 'screen', displayId: ':1.0', state: 'down', reason: 'driver_failed', since: at })
    agent.capture.sink?.gap({ lane: 'screen', displayId: ':1.0', from: at - 5000, to: at, reason: 'unplugged' })
    agent.capture.windows.push({
      lane: 'screen',
      fromAt: at - 10_000,
      toAt: at,
      expectedSeconds: 10,
      observedSeconds: 5,
      gaps: [],
    })
    agent.observers.sink?.emit({
      kind: 'display.added',
      observedAt: at,
      monotonicMs: 5,
      source: 'displays',
      data: { observerVersion: 1, method: 'xrandr', value: 'HDMI-1' },
    })
    await agent.until(() => service.eventsOf('lane.coverage').length > 0 && service.evidence.stored.size === 1)
    const iso = (ms: number) => new Date(ms).toISOString()
    expect(service.eventsOf('lane.health')).toEqual([
      { lane: 'screen', displayId: ':1.0', health: 'down', reason: 'driver_failed' },
    ])
    expect(service.eventsOf('lane.gap')).toEqual([
      { lane: 'screen', displayId: ':1.0', fromAt: iso(at - 5000), toAt: iso(at), reason: 'unplugged' },
    ])
    expect(service.eventsOf('lane.coverage')).toEqual([
      { lane: 'screen', fromAt: iso(at - 10_000), toAt: iso(at), expectedSeconds: 10, observedSeconds: 5 },
    ])
    expect(service.eventsOf('display.added')).toHaveLength(1)
  })

  it('stops a lane the policy turns off, at the next config read', async () => {
    const agent = await recording()
    expect(agent.capture.running).toEqual(['screen', 'microphone'])
    service.setConfig({ audio: { microphone: false } })
    await agent.until(() => agent.capture.running.length === 1)
    expect(agent.capture.running).toEqual(['screen'])
  })

  it('asks for the config with its ETag', async () => {
    const agent = await recording()
    const reads = () => server.seen.filter((request) => request.path.endsWith('/config'))
    await agent.until(() => reads().length >= 3)
    expect(reads()[0]?.headers['if-none-match']).toBeUndefined()
    expect(reads()[2]?.headers['if-none-match']).toBe('"1-live"')
  })

  it('stops its lanes and sends what is left when the service ends the session', async () => {
    const agent = await recording()
    await agent.capture.still()
    service.state = 'ended'
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(agent.capture.calls).toContain('stop')
    expect(service.ends).toEqual([])
    expect(service.evidence.stored.size).toBe(1)
  })

  it('ends the session when it is told to stop, after the lanes have delivered, and says how much is left', async () => {
    const agent = await recording('--drain-seconds', '3600')
    await agent.capture.still()
    agent.stop()
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(service.ends).toEqual([{ reason: 'completed', endedAt: expect.stringMatching(/Z$/) }])
    expect(service.evidence.stored.size).toBe(1)
    expect(service.eventsOf('agent.stopping')).toHaveLength(1)
    expect(agent.text).toContain('to be sent 0 items')
  })

  it.each([
    [[], 'See what is kept, or ask for it: {}\n'],
    [['--json'], '{"type":"requests","address":"{}"}\n'],
  ])('says last of all where to see what is kept, without a secret (%j)', async (options, line) => {
    const agent = await recording('--drain-seconds', '3600', ...options)
    agent.stop()
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(agent.text.endsWith(line.replace('{}', `${baseUrl}/requests/#ses_1`))).toBe(true)
    expect(service.requestLinks).toEqual([])
  })

  it('notes one gap for a stretch in which the spool had no room', async () => {
    const agent = await recording('--max-spool-mb', '0.02')
    server.script.push(...Array.from({ length: 500 }, () => 'hang_up' as const))
    const from = clock.wallMs()
    await agent.capture.still(':1.0', 15_000)
    for (let index = 0; index < 3; index += 1) {
      clock.advance(1000)
      await agent.capture.still(':1.0', 15_000)
    }
    server.script.length = 0
    await agent.until(() => service.evidence.stored.size === 1)
    // The acknowledgement frees the room a moment after the server has stored the bytes.
    while (service.evidence.stored.size === 1) {
      await agent.capture.still(':1.0', 15_000)
      for (let step = 0; step < 5; step += 1) {
        clock.advance(50)
        await turn()
      }
    }
    await agent.until(() => service.eventsOf('lane.gap').length > 0)
    const gaps = service.eventsOf('lane.gap')
    expect(gaps).toHaveLength(1)
    expect(gaps[0]).toMatchObject({ lane: 'screen', displayId: ':1.0', reason: 'storage_full' })
    expect(Date.parse(String(gaps[0]?.['fromAt']))).toBeGreaterThanOrEqual(from + 1000)
  })

  it('stops and says so when its token is not accepted any more', async () => {
    const agent = await recording()
    server.script.push(...Array.from({ length: 50 }, () => failure(401, 'unauthorized')))
    await agent.capture.still()
    expect(await agent.ended()).toBe(exitCodes.failed)
    expect(agent.capture.calls).toContain('stop')
    expect(agent.text).toContain('does not accept the session token')
  })

  it('says in words that the join code is not known', async () => {
    service.codeUsed = true
    const agent = new Agent(...joinArgs(), '--yes-consent')
    expect(await agent.ended()).toBe(exitCodes.failed)
    expect(agent.text).toContain('404 not_found')
  })
})

describe('headless agent: what is asked for while it records', () => {
  const camera = { lane: 'camera', required: false, title: 'Your camera', text: 'Pictures from your camera.' }
  const off = { camera: { enabled: false }, audio: { systemAudio: false } }
  const on = { audio: { systemAudio: false } }

  it('is declined with a line that says so, and everything else goes on', async () => {
    service.setConfig(off)
    const agent = new Agent(...joinArgs())
    await agent.until(() => agent.text.includes('Type "yes"'))
    agent.input.write('yes\n')
    await agent.until(() => agent.capture.running.length > 0)
    service.askFor(camera, on)
    await agent.until(() => service.registrations.length === 2)
    expect(agent.text).toContain('The organisation now also asks for: Your camera [camera]')
    expect(agent.text).toContain('Declined: in a running session')
    expect(service.registrations[1]?.['consent']).toMatchObject({
      documentHash: service.documentHash,
      lanes: { camera: false },
      standing: ['screen', 'microphone', 'signals'],
    })
    expect(agent.capture.running).toEqual(['screen', 'microphone'])
    const reads = () => server.seen.filter(({ path }) => path.endsWith('/config')).length
    const before = reads()
    await agent.until(() => reads() > before + 2)
    expect(service.registrations).toHaveLength(2)
  })

  it('is agreed to where everything was agreed to on the command line', async () => {
    service.setConfig(off)
    const agent = await recording()
    service.askFor(camera, on)
    await agent.until(() => agent.capture.running.includes('camera'))
    expect(service.registrations[1]?.['consent']).toMatchObject({ lanes: { camera: true } })
  })

  it('stays off where that lane was declined on the command line', async () => {
    service.setConfig(off)
    const agent = await recording('--decline', 'camera')
    service.askFor(camera, on)
    await agent.until(() => service.registrations.length === 2)
    expect(service.registrations[1]?.['consent']).toMatchObject({ lanes: { camera: false } })
    expect(agent.capture.running).toEqual(['screen', 'microphone'])
  })
})

describe('headless agent: language', () => {
  it('asks in the language that was wanted, and records the answer to those words', async () => {
    const agent = await recording('--language', 'hi-IN')
    expect(agent.text).toContain('Your screen (hi)')
    expect(service.registrations[0]?.['consent']).toMatchObject({ locale: 'hi' })
  })

  it('says what is wrong with a tag that is none', async () => {
    const agent = new Agent(...joinArgs(), '--language', 'so_so')
    expect(await agent.exit).toBe(exitCodes.usage)
    expect(agent.text).toContain('--language so_so')
  })
})

describe('headless agent: restart', () => {
  it('goes on with the same session without a join code and notes the time it was gone', async () => {
    const first = await recording()
    await first.capture.still()
    const lastSample = clock.wallMs()
    await first.leave()
    clock.advance(30_000)
    const second = new Agent()
    await second.until(() => second.capture.running.length > 0)
    await second.until(() => service.eventsOf('lane.gap').length >= 2)
    expect(service.registrations).toHaveLength(2)
    expect(service.registrations[1]?.['consent']).toEqual({
      ...(service.registrations[0]?.['consent'] as object),
      standing: ['screen', 'microphone', 'signals'],
    })
    const gaps = service.eventsOf('lane.gap').filter((gap) => gap['lane'] === 'screen')
    expect(gaps).toContainEqual(
      expect.objectContaining({
        displayId: ':1.0',
        reason: 'agent_stopped',
        fromAt: new Date(lastSample).toISOString(),
      }),
    )
    await second.until(() => service.evidence.stored.size === 1)
    await second.until(() => service.eventsOf('agent.started').length === 2)
    expect(service.eventsOf('agent.started')).toEqual([{ resumed: false }, { resumed: true }])
  })

  it('goes on recording after a restart while nobody answers, and delivers it when the service is back', async () => {
    await (await recording()).leave()
    clock.advance(30_000)
    server.script.push(...Array.from({ length: 500 }, () => 'hang_up' as const))
    const second = new Agent()
    await second.until(() => second.capture.running.length > 0)
    expect(service.registrations).toHaveLength(1)
    await second.capture.still()
    server.script.length = 0
    await second.until(() => service.evidence.stored.size === 1)
    await second.until(() => service.eventsOf('agent.started').length === 2)
    expect(service.eventsOf('lane.gap').filter(({ reason }) => reason === 'agent_stopped')).toHaveLength(2)
    expect(second.capture.calls.filter((call) => call.includes('screen'))).toHaveLength(1)
  })

  it('goes on after a restart although the policy, and so the document, has changed meanwhile', async () => {
    await (await recording()).leave()
    service.documentHash = 'b'.repeat(64)
    service.setConfig({ audio: { microphone: false } })
    const second = new Agent('--resume')
    await second.until(() => second.capture.running.length > 0)
    expect(second.capture.running).toEqual(['screen'])
    expect(service.registrations).toHaveLength(1)
  })

  it('only delivers what it has when the session ended while it was gone', async () => {
    const first = await recording()
    await first.until(() => service.eventsOf('agent.started').length === 1)
    server.script.push(...Array.from({ length: 500 }, () => 'hang_up' as const))
    await first.capture.still()
    await first.leave()
    server.script.length = 0
    service.state = 'ended'
    const second = new Agent()
    expect(await second.ended()).toBe(exitCodes.done)
    expect(second.capture.calls).not.toContain('screen microphone')
    expect(service.evidence.stored.size).toBe(1)
    expect(service.ends).toEqual([])
  })

  it('sends in a next start what could not be sent at the end', async () => {
    const first = await recording('--drain-seconds', '5')
    await first.capture.still()
    await first.until(() => service.evidence.stored.size === 1)
    const outage = Array.from({ length: 500 }, () => 'hang_up' as const)
    server.script.push(...outage)
    await first.capture.still()
    first.stop()
    expect(await first.ended()).toBe(exitCodes.unsent)
    expect(first.text).toContain('Everything unsent is kept')
    expect(first.text).toContain(`${baseUrl}/requests/#ses_1`)
    server.script.length = 0
    const second = new Agent('--resume')
    expect(await second.ended()).toBe(exitCodes.done)
    expect(service.evidence.stored.size).toBe(2)
    expect(service.ends).toHaveLength(1)
    expect(second.capture.calls).toEqual([])
  })

  it('does not let a new session begin where an unfinished one lies', async () => {
    await (await recording()).leave()
    const second = new Agent(...joinArgs())
    expect(await second.ended()).toBe(exitCodes.usage)
    expect(second.text).toContain('unfinished session')
  })

  it('writes every captured item to the ledger, with the hash the server has', async () => {
    const agent = await recording('--ledger')
    await agent.capture.still()
    await agent.capture.still(':1.1')
    agent.stop()
    await agent.ended()
    const lines = (await readFile(join(dir, 'captured.jsonl'), 'utf8')).trim().split('\n')
    const items = lines.map((line) => JSON.parse(line) as { clientId: string; sizeBytes: number })
    expect(items.map((item) => item.clientId).sort()).toEqual([...service.evidence.stored.keys()].sort())
    expect(items[0]).toMatchObject({
      kind: 'screenshot',
      sizeBytes: 1000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})

describe('headless agent: command line', () => {
  it('explains itself', async () => {
    const agent = new Agent('--help')
    expect(await agent.ended()).toBe(exitCodes.done)
    expect(agent.text).toContain('--yes-consent')
  })

  it('names what is wrong with a call', async () => {
    const agent = new Agent('--server', baseUrl, '--join', 'no-such-code')
    expect(await agent.ended()).toBe(exitCodes.usage)
    expect(agent.text).toContain('a join code has 8 letters and digits')
  })

  it('prints JSON lines when asked', async () => {
    const agent = await recording('--json')
    await agent.until(() => agent.text.includes('"type":"status"'))
    for (const line of agent.text
      .trim()
      .split('\n')
      .filter((text) => text.startsWith('{'))) {
      expect(JSON.parse(line)).toHaveProperty('type')
    }
  })
})
