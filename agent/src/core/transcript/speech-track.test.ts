import { afterEach, describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { bytesPerMs } from '../capture/pcm.ts'
import { hungAfterMs, longestWaitingMs, SpeechTrack } from './speech-track.ts'
import { ScriptedEngine } from './test-support/scripted-engine.ts'
import type { Recognised } from './types.ts'

const tracks: SpeechTrack[] = []
afterEach(async () => {
  await Promise.all(tracks.splice(0).map((track) => track.stop()))
})

const buildTrack = () => {
  const clock = manualClock(1_000_000)
  const engine = new ScriptedEngine()
  const told: string[] = []
  const words: Recognised[] = []
  const missed: [number, number, string][] = []
  const track = new SpeechTrack({
    engine,
    clock,
    random: () => 0.5,
    onWords: (recognised) => words.push(recognised),
    onEngineLost: (why) => told.push(`lost: ${why}`),
    onWorking: () => told.push('working'),
    onMissed: (from, to, reason) => missed.push([from - 1_000_000, to - 1_000_000, reason]),
  })
  tracks.push(track)
  /** A tenth of a second at a time, as it is said. */
  const hear = async (seconds: number): Promise<void> => {
    for (let left = seconds * 10; left > 0; left -= 1) {
      await clock.advance(100)
      track.hear({ bytes: Buffer.alloc(100 * bytesPerMs, 1), at: clock.wallMs() })
    }
  }
  return { clock, engine, track, told, words, missed, hear }
}
const final = (startMs: number, endMs: number): Recognised => ({ startMs, endMs, text: 'word', final: true })

describe('the track of a sound lane', () => {
  it('gives words the time at which they were heard, over a hole in the sound', async () => {
    const { clock, engine, words, hear } = buildTrack()
    await hear(2)
    await clock.advance(10_000)
    await hear(2)
    // 0.8 s of silence stand for the hole.
    expect(engine.run.givenMs).toBe(4800)
    engine.run.say(final(500, 1000))
    engine.run.say(final(3300, 3800))
    expect(words.map(({ startMs, endMs }) => [startMs - 1_000_000, endMs - 1_000_000])).toEqual([
      [500, 1000],
      [12_500, 13_000],
    ])
  })

  it('breaks off what is said without a pause for half a minute', async () => {
    const { engine, hear } = buildTrack()
    await hear(40)
    expect(engine.run.givenMs).toBe(40_800)
    engine.run.say(final(1000, 31_000))
    await hear(20)
    expect(engine.run.givenMs).toBe(60_800)
  })

  it('says that the engine works once it has read sound, not before', async () => {
    const { engine, told, hear } = buildTrack()
    await hear(1)
    expect(told).toEqual([])
    engine.run.takenMs = 500
    await hear(1)
    expect(told).toEqual(['working'])
  })

  it('starts a failed engine again: what it had not settled is missed, what came meanwhile is not', async () => {
    const { clock, engine, told, missed, hear } = buildTrack()
    await hear(5)
    Object.assign(engine.run, { takenMs: 4000, settledMs: 3000 })
    await hear(1)
    engine.run.end({ why: 'SIGSEGV' })
    await settle()
    expect(missed).toEqual([[3000, 6000, 'driver_failed']])
    expect(told).toEqual(['working', 'lost: scripted ended: SIGSEGV'])
    await hear(0.2)
    expect(engine.runs).toHaveLength(1)
    await clock.advance(1000)
    expect(engine.runs).toHaveLength(2)
    expect(engine.run.givenMs).toBe(200)
    engine.run.takenMs = 100
    await hear(0.1)
    expect(told.at(-1)).toBe('working')
    expect(missed).toHaveLength(1)
  })

  it('waits longer after each failure in a row', async () => {
    const { clock, engine } = buildTrack()
    for (const [waits, runs] of [
      [250, 2],
      [500, 3],
      [1000, 4],
    ] as const) {
      engine.run.end()
      await settle()
      await clock.advance(waits - 1)
      expect(engine.runs).toHaveLength(runs - 1)
      await clock.advance(1)
      expect(engine.runs).toHaveLength(runs)
    }
  })

  it('keeps a minute of sound for an engine slower than speech; the oldest gives way and is missed', async () => {
    const { engine, track, missed, hear } = buildTrack()
    engine.takes = 2000
    await hear(20)
    expect(track.waitingMs).toBe(18_000)
    // It is slow, not hung: now and then it takes a little.
    for (let index = 0; index < 10; index += 1) {
      engine.takes += 500
      engine.run.room()
      await hear(10)
      expect(track.waitingMs).toBeLessThanOrEqual(longestWaitingMs)
    }
    expect(engine.runs).toHaveLength(1)
    // Every tenth of a second was given to the engine, waits, or is missed; none twice.
    const length = missed.reduce((sum, [from, to]) => sum + to - from, 0)
    expect(length + track.waitingMs + engine.run.soundMs).toBe(120_000)
    expect(new Set(missed.map(([, , reason]) => reason))).toEqual(new Set(['not_observable']))
    expect(length).toBeGreaterThan(50_000)
  })

  it('ends an engine that has hung and starts another', async () => {
    const { clock, engine, told, hear } = buildTrack()
    engine.takes = 1000
    await hear(1 + hungAfterMs / 1000 + 1)
    expect(engine.runs[0]!.killed).toBe(true)
    expect(told).toContain('lost: scripted ended: SIGKILL')
    engine.takes = Number.POSITIVE_INFINITY
    await clock.advance(1000)
    expect(engine.runs.length).toBeGreaterThan(1)
  })

  it('gives what waits and hears the last words before it has stopped', async () => {
    const { engine, track, words, missed, hear } = buildTrack()
    engine.takes = 1000
    await hear(5)
    engine.lastWords = (run) => final(run.givenMs - 500, run.givenMs)
    await track.stop()
    expect(engine.run).toMatchObject({ givenMs: 5000, finished: true })
    expect(words.map(({ endMs }) => endMs - 1_000_000)).toEqual([5000])
    expect(missed).toEqual([])
    expect(track.settledUntil()).toBeUndefined()
  })

  it('tries once more with what waits when it is stopped between two tries', async () => {
    const { engine, track, words, missed, hear } = buildTrack()
    await hear(1)
    engine.run.end()
    await settle()
    await hear(0.1)
    engine.lastWords = (run) => final(0, run.givenMs)
    await track.stop()
    expect(engine.runs).toHaveLength(2)
    expect(words).toHaveLength(1)
    expect(missed).toEqual([[0, 1000, 'driver_failed']])
  })

  it('names as missed what an engine that does not come to an end, or ends badly, kept to itself', async () => {
    const late = buildTrack()
    await late.hear(5)
    late.engine.stubborn = true
    late.engine.run.settledMs = 2000
    const stopped = late.track.stop()
    await late.clock.advance(20_000)
    await stopped
    expect(late.engine.run.killed).toBe(true)
    expect(late.missed).toEqual([[2000, 5000, 'agent_stopped']])

    const bad = buildTrack()
    await bad.hear(5)
    bad.engine.stubborn = true
    const ended = bad.track.stop()
    bad.engine.run.end({ why: 'exit code 3' })
    await ended
    expect(bad.missed).toEqual([[0, 5000, 'driver_failed']])
  })
})
