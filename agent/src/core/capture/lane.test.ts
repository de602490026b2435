import { describe, expect, it } from 'vitest'
import { type ManualClock, manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { createLane } from './lane.ts'
import {
  type Driver,
  DriverError,
  type DriverSink,
  defaultCaptureConfig,
  type LaneSink,
  type ProbeResult,
} from './types.ts'

interface Script {
  driver: Driver
  starts: number
  /** The sink of the current run. */
  sink: () => DriverSink
  fail: (error: Error) => void
  probe: ProbeResult
  atStop: (() => Promise<void>) | undefined
}

/** A driver whose samples and failures the test commands. */
const scripted = (name: string, probe: ProbeResult = { ok: true }): Script => {
  let sink: DriverSink | undefined
  let reject: ((error: Error) => void) | undefined
  const script: Script = {
    starts: 0,
    probe,
    atStop: undefined,
    sink: () => sink!,
    fail: (error) => reject?.(error),
    driver: {
      name,
      probe: async () => script.probe,
      start: async (given, _config, signal) => {
        sink = given
        script.starts += 1
        await new Promise<void>((resolve, fail) => {
          reject = fail
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        await script.atStop?.()
      },
    },
  }
  return script
}

const setUp = (scripts: Script[], { sink = recordingSink(), clock = manualClock() } = {}) => {
  const drivers = scripts.map(({ driver }) => driver)
  const options = { lane: 'screen', drivers, sink: sink as LaneSink, config: defaultCaptureConfig, clock } as const
  return { lane: createLane({ ...options, random: () => 1 }), sink, clock }
}

const sampleFor = async (clock: ManualClock, script: Script, seconds: number, displays: (string | undefined)[]) => {
  for (let i = 0; i < seconds; i += 1) {
    for (const displayId of displays) script.sink().sample({ at: clock.wallMs(), displayId, varies: true })
    await clock.advance(1000)
  }
}

describe('a lane', () => {
  it('runs the first driver whose probe passes', async () => {
    const absent = scripted('absent', { ok: false, reason: 'not_observable', detail: 'not here' })
    const present = scripted('present')
    const { lane } = setUp([absent, present])
    lane.start()
    await settle()
    expect(lane.activeDriver()).toBe('present')
    expect(absent.starts).toBe(0)
    await lane.stop()
  })

  it('is not up before a sample, is up with one, and down after 15 seconds without', async () => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'starting' })
    const since = clock.wallMs()
    only.sink().sample({ at: since })
    expect(lane.health()).toMatchObject({ state: 'up', since })
    await clock.advance(14_000)
    expect(lane.health().state).toBe('up')
    await clock.advance(1000)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'driver_failed' })
    await clock.advance(5000)
    only.sink().sample({ at: clock.wallMs() })
    expect(sink.gaps).toEqual([{ lane: 'screen', from: since, to: since + 20_000, reason: 'driver_failed' }])
    expect(sink.healthReports.map(({ state }) => state)).toEqual(['up', 'down', 'up'])
    await lane.stop()
  })

  it('restarts a driver that claims to run but gives no sample', async () => {
    const silent = scripted('silent')
    const { lane, clock } = setUp([silent])
    lane.start()
    await clock.advance(17_000)
    expect(silent.starts).toBe(2)
    expect(lane.health().state).toBe('down')
    await lane.stop()
  })

  it('falls back to the next driver after three failures in a row, waiting longer each time', async () => {
    const first = scripted('first')
    const second = scripted('second')
    const { lane, clock } = setUp([first, second])
    lane.start()
    await settle()
    first.fail(new Error('one'))
    await clock.advance(499)
    expect(first.starts).toBe(1)
    await clock.advance(1)
    expect(first.starts).toBe(2)
    first.fail(new Error('two'))
    await clock.advance(999)
    expect(first.starts).toBe(2)
    await clock.advance(1)
    first.fail(new Error('three'))
    await clock.advance(2000)
    expect([first.starts, second.starts]).toEqual([3, 1])
    expect(lane.activeDriver()).toBe('second')
    await lane.stop()
  })

  it('gives a hole the reason that its driver names', async () => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    const at = clock.wallMs()
    only.sink().sample({ at })
    await clock.advance(3000)
    only.fail(new DriverError('unplugged', 'the cable is out'))
    await clock.advance(1000)
    only.sink().sample({ at: clock.wallMs() })
    expect(sink.gaps).toEqual([{ lane: 'screen', from: at, to: at + 4000, reason: 'unplugged' }])
    await lane.stop()
  })

  it('goes on asking for a device that is not there, and covers the wait with its reason', async () => {
    const camera = scripted('camera', { ok: false, reason: 'not_observable', detail: 'no camera' })
    const { lane, sink, clock } = setUp([camera])
    lane.start()
    await clock.advance(10_000)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'not_observable' })
    const [window] = lane.takeCoverage()
    expect(window).toMatchObject({ observedSeconds: 0, expectedSeconds: 10 })
    expect(window!.gaps.map(({ reason }) => reason)).toEqual(['not_observable'])
    camera.probe = { ok: true }
    await clock.advance(20_000)
    expect(camera.starts).toBe(1)
    await lane.stop()
    expect(sink.gaps.map(({ reason }) => reason)).not.toContain('driver_failed')
  })

  it('holds each display to account: a live one does not hide a dead one', async () => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    only.sink().displays(['LEFT', 'RIGHT'])
    await sampleFor(clock, only, 5, ['LEFT', 'RIGHT'])
    await sampleFor(clock, only, 20, ['LEFT'])
    expect(lane.health()).toMatchObject({ state: 'degraded', reason: 'display_not_observed' })
    expect(sink.healthReports).toContainEqual(expect.objectContaining({ displayId: 'RIGHT', state: 'down' }))
    const windows = lane.takeCoverage()
    const observed = Object.fromEntries(windows.map((window) => [window.displayId ?? 'lane', window.observedSeconds]))
    expect(observed).toEqual({ lane: 24, LEFT: 24, RIGHT: 4 })
    await lane.stop()
  })

  it('ends the expectation of a display that was taken away', async () => {
    const only = scripted('only')
    const { lane, clock } = setUp([only])
    lane.start()
    await settle()
    only.sink().displays(['LEFT', 'RIGHT'])
    await sampleFor(clock, only, 5, ['LEFT', 'RIGHT'])
    only.sink().displays(['LEFT'])
    await sampleFor(clock, only, 20, ['LEFT'])
    const right = lane.takeCoverage().find(({ displayId }) => displayId === 'RIGHT')
    expect(right).toMatchObject({ expectedSeconds: 4, observedSeconds: 4, gaps: [] })
    expect(lane.health().state).toBe('up')
    await lane.stop()
  })

  it('is degraded while every frame is of a single colour', async () => {
    const only = scripted('only')
    const { lane, clock } = setUp([only])
    lane.start()
    await settle()
    for (let i = 0; i < 16; i += 1) {
      only.sink().sample({ at: clock.wallMs(), varies: false })
      await clock.advance(1000)
    }
    expect(lane.health()).toMatchObject({ state: 'degraded', reason: 'single_colour_frames' })
    only.sink().sample({ at: clock.wallMs(), varies: true })
    expect(lane.health().state).toBe('up')
    await lane.stop()
  })

  it('names a pause as paused and resumes', async () => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    const at = clock.wallMs()
    only.sink().sample({ at })
    await lane.pause()
    await clock.advance(60_000)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'paused' })
    lane.resume()
    await settle()
    only.sink().sample({ at: clock.wallMs() })
    expect(sink.gaps).toEqual([{ lane: 'screen', from: at, to: at + 60_000, reason: 'paused' }])
    await lane.stop()
  })

  it.each([
    [5000, 0],
    [5001, 1],
  ])('takes a wall clock that ran %i ms ahead for %i sleeps of the machine', async (ms, gaps) => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    only.sink().sample({ at: clock.wallMs() })
    clock.jumpWall(ms)
    await clock.advance(1000)
    expect(sink.gaps).toHaveLength(gaps)
    await lane.stop()
  })

  it('takes a wall clock that ran ahead for a sleep of the machine', async () => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    only.sink().sample({ at: clock.wallMs() })
    await clock.advance(2500)
    clock.jumpWall(3_600_000)
    await clock.advance(1000)
    expect(sink.gaps).toHaveLength(1)
    expect(sink.gaps[0]).toMatchObject({ reason: 'asleep_or_locked' })
    expect(sink.gaps[0]!.to - sink.gaps[0]!.from).toBe(3_601_000)
    await lane.stop()
  })

  it('delivers what a driver hands over while it stops, numbered in order', async () => {
    const only = scripted('only')
    const { lane, sink, clock } = setUp([only])
    lane.start()
    await settle()
    const item = {
      kind: 'screenshot',
      lane: 'screen',
      capturedAt: clock.wallMs(),
      monotonicMs: 0,
      contentType: 'image/webp',
      bytes: Buffer.from('x'),
      meta: {},
    } as const
    await only.sink().item(item)
    only.atStop = () => only.sink().item(item)
    await lane.stop()
    expect(sink.items.map(({ meta }) => meta)).toEqual([
      { driver: 'only', sequence: 0 },
      { driver: 'only', sequence: 1 },
    ])
  })

  it('waits ten seconds for the last segment of a driver and no longer', async () => {
    const only = scripted('only')
    const { lane, clock } = setUp([only])
    lane.start()
    await settle()
    only.atStop = () => new Promise<void>(() => undefined)
    let stopped = false
    const stopping = lane.stop().then(() => {
      stopped = true
    })
    await clock.advance(9_999)
    expect(stopped).toBe(false)
    await clock.advance(1)
    expect(stopped).toBe(true)
    await stopping
  })

  it('begins its waits anew once a driver has run steadily', async () => {
    const only = scripted('only')
    const { lane, clock } = setUp([only])
    lane.start()
    await settle()
    for (const waitMs of [500, 1000]) {
      only.fail(new Error('short'))
      await clock.advance(waitMs)
    }
    expect(only.starts).toBe(3)
    await sampleFor(clock, only, 31, [undefined])
    only.fail(new Error('after half a minute'))
    await clock.advance(499)
    expect(only.starts).toBe(3)
    await clock.advance(1)
    expect(only.starts).toBe(4)
    await lane.stop()
  })

  it('keeps its lane when an extra driver fails', async () => {
    const main = scripted('main')
    const extra = scripted('extra')
    const sink = recordingSink()
    const clock = manualClock()
    const lane = createLane({
      lane: 'screen',
      drivers: [main.driver],
      extras: [extra.driver],
      sink,
      config: defaultCaptureConfig,
      clock,
      random: () => 1,
    })
    lane.start()
    await settle()
    main.sink().sample({ at: clock.wallMs() })
    extra.fail(new Error('no encoder'))
    await clock.advance(600)
    expect(lane.health().state).toBe('up')
    expect(extra.starts).toBe(2)
    await lane.stop()
    expect(sink.gaps).toEqual([])
  })
})
