import { type LaneName, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { BYTES_PER_MS } from '../../core/capture/pcm.ts'
import type { CapturePort } from '../../core/session/ports.ts'
import type { Segment } from '../../core/transcript/segment-writer.ts'
import { ScriptedEngine } from '../../core/transcript/test-support/scripted-engine.ts'
import { createTranscriptLane } from '../../core/transcript/transcript-lane.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { TranscribedCapture } from './transcribed-capture.ts'

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
    transcript.hear({ lane: 'microphone', bytes: Buffer.alloc(1000 * BYTES_PER_MS, 1), at: clock.wallMs() })
  }
  const inner: CapturePort = {
    apply: async (wanted) => {
      calls.push(`apply ${wanted.join(' ')}`)
      if (!wanted.includes('microphone')) second()
    },
    pause: async () => second(),
    resume: () => second(),
    stop: async () => second(),
    setQuality: async (level) => void calls.push(`quality ${level}`),
    takeCoverage: () => [
      { lane: 'microphone', fromAt: 0, toAt: 1000, expectedSeconds: 1, observedSeconds: 1, gaps: [] },
    ],
    health: () => [{ lane: 'microphone', state: 'up', since: 0 }],
  }
  return { capture: new TranscribedCapture(inner, transcript), engine, put, calls, second, sink: recordingSink() }
}

describe('lanes with a transcript', () => {
  it('still write down what a lane heard last, when it is paused, taken away, and stopped', async () => {
    const { capture, put, second, sink } = buildCapture()
    await capture.apply(lanes, policy, sink)
    second()
    await capture.pause()
    capture.resume()
    second()
    await capture.apply(['transcript'], policy, sink)
    await capture.apply(lanes, policy, sink)
    second()
    await capture.stop()
    expect(put.map(({ text }) => text)).toEqual(['2000 ms', '3000 ms', '2000 ms'])
  })

  it('give account of the transcript beside the lanes, and pass on what concerns the lanes alone', async () => {
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
    await capture.setQuality(2)
    expect(calls).toEqual(['apply microphone transcript', 'quality 2'])
    await capture.stop()
  })
})
