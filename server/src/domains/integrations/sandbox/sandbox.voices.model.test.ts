import { describe, expect, it } from 'vitest'
import { decodedSound, soundRate } from '../../../../test/test-support/decoded-sound.ts'
import { ffmpeg } from '../../../../test/test-support/film-fixtures.ts'
import { speech } from './sandbox.voices.model.ts'

const loudest = (samples: Float32Array): number => samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)

describe.skipIf(!ffmpeg)('simulated sound, decoded', () => {
  const heard = { voice: 'candidate', name: 'one' } as const

  it.each([20, 4010, 29_987])('is %d ms long to the millisecond', async (durationMs) => {
    const samples = await decodedSound(
      await speech([{ sentence: 3, fromMs: 0, untilMs: durationMs }], { ...heard, durationMs }),
    )
    expect(Math.round((samples.length * 1000) / soundRate)).toBe(durationMs)
  })

  it('speaks in the time of its sentence, and is nearly silent around it', async () => {
    const sound = await speech([{ sentence: 3, fromMs: 1000, untilMs: 4000 }], { ...heard, durationMs: 6000 })
    const samples = await decodedSound(sound)
    const between = (from: number, to: number) => loudest(samples.subarray(from * soundRate, to * soundRate))
    expect(between(1, 4)).toBeGreaterThan(0.3)
    expect(between(0, 0.9)).toBeLessThan(0.05)
    expect(between(4.5, 6)).toBeLessThan(0.05)
  })
})
