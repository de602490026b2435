import type { LaneName } from '@integrity/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { createServiceClock } from '../../shared/service-clock.ts'
import { bytesPerMs } from '../capture/pcm.ts'
import { SpoolFull } from '../spool/types.ts'
import type { Segment } from './segment-writer.ts'
import { ScriptedEngine } from './test-support/scripted-engine.ts'
import { createTranscriptLane, type TranscriptLane } from './transcript-lane.ts'
import type { EngineChoice } from './types.ts'

const lanes: TranscriptLane[] = []
afterEach(async () => {
  await Promise.all(lanes.splice(0).map((lane) => lane.stop()))
})

const buildLane = (
  overrides: { choice?: EngineChoice; startedAt?: number; base?: ReturnType<typeof manualClock> } = {},
) => {
  const base = overrides.base ?? manualClock(1_000_000)
  const clock = createServiceClock(base)
  const engine = new ScriptedEngine()
  const sink = recordingSink()
  const put: Segment[] = []
  const troubles: string[] = []
  const store = {
    full: false,
    nextSequence: () => put.length,
    put: (segment: Segment) => {
      if (store.full) throw new SpoolFull('no room is left for words')
      put.push(segment)
    },
  }
  const lane = createTranscriptLane({
    store,
    clock,
    sessionStartedAt: () => overrides.startedAt ?? 1_000_000,
    random: () => 0,
    onTrouble: (trouble) => troubles.push(trouble),
    choose: async () => overrides.choice ?? { engine },
  })
  lanes.push(lane)
  const hear = async (source: 'microphone' | 'system_audio', seconds: number): Promise<void> => {
    for (let left = seconds * 10; left > 0; left -= 1) {
      await base.advance(100)
      lane.hear({ lane: source, bytes: Buffer.alloc(100 * bytesPerMs, 1), at: clock.wallMs() })
    }
  }
  return { base, clock, engine, sink, put, troubles, store, lane, hear }
}
const all: LaneName[] = ['microphone', 'system_audio', 'transcript']
const said = (text: string, startMs = 0, endMs = 500) => ({ startMs, endMs, text, final: true })

describe('the transcript lane', () => {
  it('works only with its own consent and that of the sound lane', async () => {
    const { lane, engine, sink, put, hear } = buildLane()
    await hear('microphone', 1)
    await lane.apply(['microphone', 'system_audio'], sink)
    await hear('microphone', 1)
    expect(engine.runs).toHaveLength(0)
    await lane.apply(['microphone', 'transcript'], sink)
    await hear('system_audio', 1)
    expect(engine.runs).toHaveLength(0)
    await hear('microphone', 1)
    expect(engine.runs).toHaveLength(1)
    engine.run.say(said('hello'))
    expect(put.map(({ text, speaker }) => [text, speaker])).toEqual([['hello', 'candidate']])
    await lane.apply(['microphone'], sink)
    expect(engine.run.finished).toBe(true)
    await hear('microphone', 1)
    expect(engine.runs).toHaveLength(1)
  })

  it('keeps the lanes apart, and does not guess who speaks from the loudspeakers', async () => {
    const { lane, engine, sink, put, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 1)
    await hear('system_audio', 1)
    const [microphone, loudspeakers] = engine.runs
    microphone!.say(said('yes'))
    loudspeakers!.say(said('and why'))
    expect(put.map(({ speaker, startMs, text, language }) => [speaker, startMs, text, language])).toEqual([
      ['candidate', 0, 'yes', 'en-GB'],
      ['unknown', 1000, 'and why', 'en-GB'],
    ])
  })

  it('puts words to the time since the session was registered, on a computer whose clock is a day wrong and is then set', async () => {
    const day = 86_400_000
    const base = manualClock(1_000_000 + day)
    const { clock, lane, engine, sink, put, hear } = buildLane({ base, startedAt: 990_000 })
    clock.correct(1_000_000, base.monotonicMs(), 10)
    await lane.apply(all, sink)
    await hear('microphone', 2)
    base.jumpWall(-day)
    await hear('microphone', 2)
    engine.run.say(said('before', 500, 1000))
    engine.run.say(said('after', 2500, 3000))
    expect(put.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [10_500, 11_000],
      [12_500, 13_000],
    ])
    engine.run.settledMs = 4000
    expect(lane.takeCoverage()).toMatchObject([{ fromAt: 1_000_000, toAt: 1_004_000, expectedSeconds: 4 }])
  })

  it('says that it cannot be observed without a model, for as long as there is sound, and nothing else', async () => {
    const { lane, sink, put, troubles, hear } = buildLane({ choice: { problem: 'no speech model on this computer' } })
    await lane.apply(all, sink)
    expect(lane.health()).toMatchObject({ lane: 'transcript', state: 'down', reason: 'not_observable' })
    expect(troubles).toEqual(['transcript: not_observable: no speech model on this computer'])
    await hear('microphone', 30)
    expect(lane.takeCoverage()).toMatchObject([{ expectedSeconds: 30, observedSeconds: 0 }])
    await lane.stop()
    expect(sink.gaps).toEqual([{ lane: 'transcript', from: 1_000_000, to: 1_030_000, reason: 'not_observable' }])
    expect(put).toEqual([])
  })

  it('says so when there is consent to it and no lane that hears anything', async () => {
    const { base, lane, sink, troubles } = buildLane()
    await lane.apply(['screen', 'transcript'], sink)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'not_observable' })
    expect(troubles).toEqual(['transcript: not_observable: no sound is recorded'])
    await base.advance(20_000)
    expect(lane.takeCoverage()).toMatchObject([{ toAt: 1_020_000, expectedSeconds: 0, observedSeconds: 0 }])
    await lane.stop()
    expect(sink.gaps).toMatchObject([{ from: 1_000_000, to: 1_020_000, reason: 'not_observable' }])
  })

  it('is down while the lanes give no sound for more than a minute, and up when they do again', async () => {
    const { base, lane, engine, sink, hear } = buildLane()
    await lane.apply(all, sink)
    await base.advance(50_000)
    expect(lane.takeCoverage()).toMatchObject([{ expectedSeconds: 0, gaps: [] }])
    expect(lane.health()).toBeUndefined()
    await base.advance(50_000)
    expect(lane.takeCoverage()).toMatchObject([{ expectedSeconds: 0, gaps: [{ reason: 'not_observable' }] }])
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'not_observable' })
    await hear('microphone', 1)
    engine.run.takenMs = 500
    await hear('microphone', 1)
    expect(lane.health()).toMatchObject({ state: 'up' })
    await lane.pause()
    await base.advance(100_000)
    lane.takeCoverage()
    lane.resume()
    lane.takeCoverage()
    expect(lane.health()).toMatchObject({ state: 'up' })
  })

  it('is degraded while one of two engines works', async () => {
    const { lane, engine, sink, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 1)
    await hear('system_audio', 1)
    for (const run of engine.runs) run.takenMs = 500
    engine.runs[1]!.end()
    await settle()
    expect(lane.health()).toMatchObject({ state: 'degraded', reason: 'driver_failed' })
  })

  it('is up once its engine reads sound, down with a gap when it fails, and up again', async () => {
    const { base, lane, engine, sink, troubles, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 5)
    Object.assign(engine.run, { takenMs: 5000, settledMs: 4000 })
    await hear('microphone', 1)
    engine.run.end({ why: 'SIGKILL' })
    await settle()
    await base.advance(1000)
    await hear('microphone', 10)
    Object.assign(engine.run, { takenMs: 10_000, settledMs: 10_000 })
    await hear('microphone', 1)
    expect(sink.healthReports.map(({ state, reason }) => [state, reason])).toEqual([
      ['up', undefined],
      ['down', 'driver_failed'],
      ['up', undefined],
    ])
    await lane.stop()
    expect(lane.takeCoverage()).toMatchObject([{ expectedSeconds: 17, observedSeconds: 15 }])
    expect(sink.gaps).toEqual([{ lane: 'transcript', from: 1_004_000, to: 1_006_000, reason: 'driver_failed' }])
    expect(troubles).toEqual(['transcript: driver_failed: microphone: scripted ended: SIGKILL'])
  })

  it('gives account only of sound whose words are out', async () => {
    const { lane, engine, sink, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 10)
    engine.run.settledMs = 6000
    expect(lane.takeCoverage()).toMatchObject([{ toAt: 1_006_000, expectedSeconds: 6 }])
    engine.run.settledMs = 10_000
    expect(lane.takeCoverage()).toMatchObject([{ fromAt: 1_006_000, toAt: 1_010_000, expectedSeconds: 4 }])
  })

  it('hears nothing while paused, and has the words from before kept when the pause begins', async () => {
    const { lane, engine, sink, put, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 2)
    engine.lastWords = () => said('one moment')
    await lane.pause()
    expect(put.map(({ text }) => text)).toEqual(['one moment'])
    await hear('microphone', 5)
    lane.resume()
    await hear('microphone', 2)
    expect(engine.runs).toHaveLength(2)
    expect(engine.run.givenMs).toBe(2000)
    await lane.stop()
    expect(lane.takeCoverage()).toMatchObject([{ expectedSeconds: 4, observedSeconds: 4 }])
  })

  it('lets an engine go whose source gives nothing any more, so that others are still accounted for', async () => {
    const { lane, engine, sink, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 1)
    await hear('system_audio', 70)
    engine.runs[1]!.settledMs = engine.runs[1]!.givenMs
    lane.takeCoverage()
    expect(engine.runs[0]!.finished).toBe(true)
    await settle()
    expect(lane.takeCoverage()).toMatchObject([{ toAt: 1_071_000 }])
    await hear('microphone', 1)
    expect(engine.runs).toHaveLength(3)
  })

  it('says that words had no room, without the words', async () => {
    const { lane, engine, sink, troubles, store, hear } = buildLane()
    await lane.apply(all, sink)
    await hear('microphone', 5)
    store.full = true
    engine.run.say(said('a secret', 1000, 2000))
    await lane.stop()
    expect(sink.gaps).toEqual([{ lane: 'transcript', from: 1_001_000, to: 1_002_000, reason: 'storage_full' }])
    expect(troubles).toEqual(['transcript: words could not be kept: SpoolFull'])
  })
})
