import { type LaneName, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import type { Lane } from '../../core/capture/lane.ts'
import { bytesPerMs } from '../../core/capture/pcm.ts'
import type { Segment } from '../../core/transcript/segment-writer.ts'
import { ScriptedEngine } from '../../core/transcript/test-support/scripted-engine.ts'
import { createTranscriptLane } from '../../core/transcript/transcript-lane.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import type { createLanes } from './create-lanes.ts'
import { MachineCapture } from './machine-capture.ts'

const policy = sessionConfig.parse({})
const lanes: LaneName[] = ['microphone', 'transcript']

/** Lanes that hand over their last second of sound when they stop, as real ones do. */
const buildCapture = () => {
  const clock = new ManualClock()
  const engine = new ScriptedEngine()
  engine.lastWords = ({ soundMs }) => ({ startMs: 0, endMs: soundMs, text: `${soundMs} ms`, final: true })
  const put: Segment[] = []
  const calls: string[] = []
  const transcript = createTranscriptLane({
    store: { nextSequence: () => put.length, put: (segment) => put.push(segment) },
    clock,
    sessionStartedAt: () => undefined,
    choose: async () => ({ engine }),
  })
  const second = (): void => {
    clock.advance(1000)
    transcript.hear({ lane: 'microphone', bytes: Buffer.alloc(1000 * bytesPerMs, 1), at: clock.wallMs() })
  }
  const create: typeof createLanes = ({ lanes: made }) =>
    new Map(
      made.map((name): [typeof name, Lane] => {
        const lane: Lane = {
          name,
          start: () => void calls.push(`start ${name}`),
          pause: async () => second(),
          resume: () => second(),
          reconfigure: async ({ screen }) => void calls.push(`quality ${screen.quality}`),
          stop: async () => second(),
          trigger: () => undefined,
          health: () => ({ lane: name, state: 'up', since: 0 }),
          activeDriver: () => undefined,
          takeCoverage: () => [{ lane: name, fromAt: 0, toAt: 1000, expectedSeconds: 1, observedSeconds: 1, gaps: [] }],
        }
        return [name, lane]
      }),
    )
  const capture = new MachineCapture({ sources: {}, clock, onTrouble: () => undefined, create, transcript })
  return { capture, engine, put, calls, second, sink: recordingSink() }
}

describe('lanes with a transcript', () => {
  it('still write down what a lane heard last, when it is paused, taken away, and stopped', async () => {
    const { capture, put, second, sink } = buildCapture()
    await capture.apply(lanes, policy, sink)
    second()
    await capture.pause('paused')
    capture.resume()
    second()
    await capture.apply(['transcript'], policy, sink)
    await capture.apply(lanes, policy, sink)
    second()
    await capture.stop()
    expect(put.map(({ text }) => text)).toEqual(['2000 ms', '3000 ms', '2000 ms'])
  })

  it('give account of the transcript beside the lanes', async () => {
    const { capture, engine, calls, second, sink } = buildCapture()
    await capture.apply(lanes, policy, sink)
    second()
    Object.assign(engine.run, { takenMs: 1000, settledMs: 1000 })
    second()
    expect(capture.health().map(({ lane, state }) => [lane, state])).toEqual([
      ['microphone', 'up'],
      ['transcript', 'up'],
    ])
    expect(capture.takeCoverage().map(({ lane, observedSeconds }) => [lane, observedSeconds])).toEqual([
      ['microphone', 1],
      ['transcript', 1],
    ])
    expect(calls).toEqual(['start microphone'])
    await capture.stop()
  })
})
