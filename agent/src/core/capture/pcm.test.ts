import { describe, expect, it } from 'vitest'
import { levelByte, PcmSegmenter, silenceDb, soundLevel, soundLevels } from './pcm.ts'

const tone = (amplitude: number, samples = 1600): Buffer => {
  const pcm = Buffer.alloc(samples * 2)
  for (let i = 0; i < samples; i += 1) pcm.writeInt16LE(Math.round(amplitude * 32_767 * Math.sin(i / 4)), i * 2)
  return pcm
}

describe('the level of sound', () => {
  it('measures a sine three decibels below its peak, and digital silence at the floor', () => {
    const { levelDb, peakDb } = soundLevel(tone(0.5))
    expect(peakDb).toBeCloseTo(-6, 0)
    expect(levelDb).toBeCloseTo(-9, 0)
    expect(soundLevel(Buffer.alloc(3200))).toEqual({ levelDb: silenceDb, peakDb: silenceDb })
    expect(soundLevel(Buffer.alloc(0)).levelDb).toBe(silenceDb)
  })
})

describe('the levels of a recording', () => {
  it('are one byte for 100 ms, from silence to full scale', () => {
    const pcm = Buffer.concat([Buffer.alloc(3200), tone(0.5), tone(0.005), tone(1), tone(1, 100)])
    const [silence, loud, quiet, full, rest] = soundLevels(pcm)
    expect(soundLevels(pcm)).toHaveLength(5)
    expect(silence).toBe(0)
    // −9, −49 and −3 dBFS.
    expect([loud, quiet, full].map((byte) => Math.round(((byte ?? 0) / 255) * 90) - 90)).toEqual([-9, -49, -3])
    expect(rest).toBeGreaterThan(200)
  })

  it('end at −90 and at 0 dBFS', () => {
    expect([0, 10 ** (-95 / 20), 10 ** (-90 / 20), 10 ** (-45 / 20), 1, 2].map(levelByte)).toEqual([
      0, 0, 0, 128, 255, 255,
    ])
    expect(soundLevels(Buffer.alloc(0))).toHaveLength(0)
  })
})

describe('the segmenter', () => {
  it('cuts at exact lengths without losing or repeating a byte', () => {
    const segmenter = new PcmSegmenter(1)
    const sound = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7) % 251))
    const segments = []
    for (let at = 0; at < sound.length; at += 7777)
      segments.push(...segmenter.push(sound.subarray(at, at + 7777), 0, 0))
    const rest = segmenter.flush()!
    expect(segments.map(({ pcm }) => pcm.length)).toEqual([32_000, 32_000, 32_000])
    expect(segments.every(({ durationMs }) => durationMs === 1000)).toBe(true)
    expect(rest.durationMs).toBe(125)
    expect(Buffer.concat([...segments, rest].map(({ pcm }) => pcm)).equals(sound)).toBe(true)
    expect(segmenter.flush()).toBeUndefined()
  })

  it('dates a segment by its first sample, not by the arrival of its last', () => {
    const segmenter = new PcmSegmenter(1)
    const [first, second] = segmenter.push(Buffer.alloc(64_000), 1_000_000, 5000)
    expect([first!.capturedAt, first!.monotonicMs]).toEqual([998_000, 3000])
    expect([second!.capturedAt, second!.monotonicMs]).toEqual([999_000, 4000])
  })

  it('begins a segment where the one before ended, also when its burst came late, but not after a real hole', () => {
    const segmenter = new PcmSegmenter(1)
    const at = (ms: number) => segmenter.push(Buffer.alloc(32_000), ms, ms)[0]!.capturedAt
    expect([at(1000), at(2300), at(3000), at(9000)]).toEqual([0, 1000, 2000, 8000])
  })

  it('drops half a sample at the end', () => {
    const segmenter = new PcmSegmenter(1)
    segmenter.push(Buffer.alloc(33), 0, 0)
    expect(segmenter.flush()!.pcm).toHaveLength(32)
  })
})
