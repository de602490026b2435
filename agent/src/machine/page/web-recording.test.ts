import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/test-support/manual-clock.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { createLane } from '../../core/capture/lane.ts'
import {
  type CaptureConfig,
  type ConfirmedSound,
  defaultCaptureConfig,
  type LaneSink,
} from '../../core/capture/types.ts'
import type { Handover, SegmentPart, StreamState } from './messages.ts'
import { createPageLinks } from './page-links.ts'
import { type FakeAnswers, fakePage } from './test-support/fake-page.ts'
import { createWebMicrophoneDriver } from './web-sound.ts'

const sound = { squares: 25, peak: 1, samples: 100 }
const config: CaptureConfig = {
  ...defaultCaptureConfig,
  microphone: { chunkSeconds: 4, bitrateKbps: 24, source: 'm1' },
}

/** A microphone that gives one byte, the number of its segment, for each time it is asked. */
const laneOver = (change: Partial<LaneSink> = {}, settings: Partial<CaptureConfig> = {}) => {
  const clock = manualClock()
  const sink = recordingSink()
  const segments: SegmentPart[] = []
  const heard = { state: 'same' as StreamState, energy: sound, listens: false, samples: 0 }

  const part = (segment: number, last: boolean): SegmentPart => {
    const startedAt = segments[segment]!.startedAt
    return { segment, length: last ? 0 : 1, startedAt, endedAt: clock.wallMs(), last, energy: heard.energy }
  }
  let ending: SegmentPart[] = []
  const handOver = (): { value: Handover; bytes: Uint8Array } => {
    const same = heard.state === 'same'
    const parts = same && segments.length > 0 ? [...ending, part(segments.length - 1, false)] : []
    ending = []
    const bytes = parts.filter(({ length }) => length === 1).map(({ segment }) => segment)
    const at = clock.wallMs()
    const value: Handover = { state: heard.state, at, parts, energy: same ? heard.energy : noSound }
    if (!heard.listens || !same) return { value, bytes: Uint8Array.from(bytes) }
    // One sample for each time it is asked: its number, and a zero. It came a moment before.
    heard.samples += 1
    return {
      value: { ...value, pcm: { length: 2, endedAt: at - 10 } },
      bytes: Uint8Array.from([...bytes, heard.samples, 0]),
    }
  }
  const answers: FakeAnswers = {
    inventory: () => ({
      value: {
        devices: [{ kind: 'audioinput', deviceId: 'm1', groupId: '', label: 'Desk' }],
        permissions: { camera: 'prompt', microphone: 'granted' },
        recorders: ['audio/webm;codecs=opus'],
      },
    }),
    open: () => {
      segments.length = 0
      return { value: { label: 'Desk', deviceId: 'm1', sampleRate: 48_000 } }
    },
    cut: () => {
      if (segments.length > 0) ending = [part(segments.length - 1, true)]
      const startedAt = clock.wallMs()
      segments.push({ segment: segments.length, length: 0, startedAt, endedAt: startedAt, last: false, energy: sound })
      return { value: { segment: segments.length - 1 } }
    },
    listen: ({ wanted }) => {
      heard.listens = wanted
      return { value: {} }
    },
    confirm: handOver,
    close: handOver,
  }
  const page = fakePage(answers, clock)
  const links = createPageLinks({ current: async () => page }, clock)
  const drivers = [createWebMicrophoneDriver(links, clock, 'darwin')]
  const lane = createLane({
    lane: 'microphone',
    drivers,
    sink: { ...sink, ...change },
    config: { ...config, ...settings },
    clock,
    random: () => 0,
  })
  const end = async (): Promise<void> => {
    const stopping = lane.stop()
    await clock.advance(11_000)
    await stopping
  }
  return { clock, sink, page, heard, lane, end }
}
const noSound = { squares: 0, peak: 0, samples: 0 }

describe('recording in segments', () => {
  it('delivers each when it is complete, with its own time, length and level, and the last at the end', async () => {
    const { clock, sink, lane, end } = laneOver()
    const began = clock.wallMs()
    lane.start()
    await clock.advance(9500)
    expect(sink.items).toHaveLength(2)
    await end()
    expect(sink.items.map(({ bytes }) => [...bytes])).toEqual([
      [0, 0, 0, 0],
      [1, 1, 1, 1],
      [2, 2],
    ])
    expect(sink.items.map(({ capturedAt }) => capturedAt - began)).toEqual([0, 4000, 8000])
    expect(sink.items[0]).toMatchObject({
      kind: 'audio_chunk',
      contentType: 'audio/webm',
      durationMs: 4000,
      monotonicMs: 0,
      // The root of 25 / 100.
      meta: { levelDb: -6, peakDb: 0, codec: 'opus', device: 'Desk', clockOffsetMs: 0, sequence: 0 },
    })
    expect(sink.gaps).toEqual([])
  })

  it.each([
    ['gone', 'unplugged'],
    ['swapped', 'unplugged'],
    ['refused', 'permission_lapsed'],
    ['muted', 'not_observable'],
    ['ended', 'driver_failed'],
  ] as const)('keeps what came before its source was %s, drops what came after, and says %s', async (state, reason) => {
    const { clock, sink, heard, lane, end } = laneOver()
    lane.start()
    await clock.advance(2500)
    heard.state = state
    await clock.advance(700)
    expect(lane.health()).toMatchObject({ state: 'down', reason })
    expect(sink.items.map(({ bytes }) => [...bytes])).toEqual([[0, 0]])
    heard.state = 'same'
    await clock.advance(3000)
    expect(lane.health().state).toBe('up')
    await end()
    expect(sink.gaps.map((gap) => gap.reason)).toContain(reason)
  })

  it('notices at once what the page says of its devices', async () => {
    const { clock, heard, page, lane, end } = laneOver()
    lane.start()
    await clock.advance(1100)
    heard.state = 'gone'
    page.say({ news: 'devices' })
    await clock.advance(1)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'unplugged' })
    await end()
  })

  it('hands on the samples of the right source, in order and by our clock, and the last of them at the end', async () => {
    const told: ConfirmedSound[] = []
    const { clock, heard, sink, lane, end } = laneOver({}, { onSound: (sound) => told.push(sound) })
    const began = clock.wallMs()
    lane.start()
    await clock.advance(3500)
    expect(told.map(({ bytes }) => [...bytes])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ])
    expect(told.map(({ lane: name, at }) => [name, at - began])).toEqual([
      ['microphone', 990],
      ['microphone', 1990],
      ['microphone', 2990],
    ])
    heard.state = 'swapped'
    await clock.advance(1000)
    heard.state = 'same'
    expect(told).toHaveLength(3)
    await clock.advance(3000)
    const before = told.length
    await end()
    expect(told).toHaveLength(before + 1)
    // What is recorded is not touched by it.
    expect([...(sink.items[0]?.bytes ?? [])]).toEqual([0, 0, 0])
  })

  it('asks the page for samples only as long as somebody listens', async () => {
    let wanted = false
    const told: ConfirmedSound[] = []
    const listener = { onSound: (sound: ConfirmedSound) => void told.push(sound), soundWanted: () => wanted }
    const { clock, page, lane, end } = laneOver({}, listener)
    lane.start()
    await clock.advance(2500)
    expect(page.commands()).not.toContain('listen')
    wanted = true
    await clock.advance(2000)
    expect(told).toHaveLength(1)
    wanted = false
    await clock.advance(3000)
    expect(told).toHaveLength(2)
    expect(page.commands().filter((command) => command === 'listen')).toHaveLength(2)
    await end()
    expect(told).toHaveLength(2)
  })

  it('asks for none where there is no listener', async () => {
    const { clock, page, lane, end } = laneOver()
    lane.start()
    await clock.advance(2500)
    await end()
    expect(page.commands()).not.toContain('listen')
  })

  it('is not healthy without measured sound, whatever is handed over', async () => {
    const { clock, heard, lane, end } = laneOver()
    heard.energy = noSound
    lane.start()
    await clock.advance(20_000)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'driver_failed' })
    await end()
  })

  it('starts anew when a segment cannot be kept', async () => {
    let full = true
    const kept: number[] = []
    const { clock, lane, end } = laneOver({
      item: async ({ bytes }) => {
        if (full) throw new Error('the disk is full')
        kept.push(bytes.length)
        return true
      },
    })
    lane.start()
    await clock.advance(5200)
    expect(lane.health().state).toBe('down')
    full = false
    await clock.advance(6000)
    expect(kept.length).toBeGreaterThan(0)
    await end()
  })

  it('refuses bytes that are not those of the parts', async () => {
    const { clock, sink, page, lane, end } = laneOver()
    page.answers.confirm = () => ({
      value: {
        state: 'same',
        at: clock.wallMs(),
        parts: [
          { segment: 0, length: 5, startedAt: clock.wallMs(), endedAt: clock.wallMs(), last: true, energy: sound },
        ],
        energy: sound,
      },
      bytes: Uint8Array.from([1]),
    })
    lane.start()
    await clock.advance(1100)
    expect(lane.health().state).toBe('down')
    await end()
    expect(sink.items.filter(({ bytes }) => bytes.length === 5)).toEqual([])
  })
})
