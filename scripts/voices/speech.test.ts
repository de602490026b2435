import { describe, expect, it } from 'vitest'
import { speech } from './speech.ts'

const sentence = { text: 'How would you begin?', fromMs: 500, untilMs: 2500 }
const heard = { durationMs: 4000, voice: 'interviewer', seed: 1 } as const
const samplesOf = (bytes: Buffer) => Array.from(bytes.subarray(44), (sample) => sample - 128)
const loudest = (samples: readonly number[]) => Math.max(...samples.map(Math.abs))
/** How often it goes through zero: more often for a higher voice. */
const crossings = (samples: readonly number[]) =>
  samples.filter((one, n) => one > 0 && (samples[n - 1] ?? 0) <= 0).length

describe('made-up speech', () => {
  it('is a WAV of 8 kHz, mono, 8 bit, as long as asked for', () => {
    const bytes = speech([sentence], heard)
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
    expect(bytes.length).toBe(44 + 4000 * 8)
    const [format, channels] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    expect({ format, channels, rate: bytes.readUInt32LE(24), bits: bytes.readUInt16LE(34) }).toEqual({
      format: 1,
      channels: 1,
      rate: 8000,
      bits: 8,
    })
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  })

  it('speaks in the time of its sentence, is nearly silent around it, and is not clipped', () => {
    const samples = samplesOf(speech([sentence], heard))
    const [before, during, after] = [samples.slice(0, 3960), samples.slice(4000, 20_000), samples.slice(20_000)]
    expect(loudest(during)).toBeGreaterThan(50)
    expect(loudest(during)).toBeLessThan(127)
    expect(loudest(before)).toBeLessThanOrEqual(1)
    expect(loudest(after)).toBeLessThanOrEqual(1)
  })

  it('goes on in the next sound with the sentence that the one before cut off', () => {
    const options = { ...heard, durationMs: 1500 }
    const whole = samplesOf(speech([{ ...sentence, fromMs: 0, untilMs: 3000 }], { ...heard, durationMs: 3000 }))
    const second = samplesOf(speech([{ ...sentence, fromMs: -1500, untilMs: 1500 }], options))
    const apart = second.map((sample, n) => Math.abs(sample - (whole[12_000 + n] ?? 0)))
    expect(Math.max(...apart)).toBeLessThanOrEqual(2)
  })

  it('has two voices, of which the candidate has the higher one', () => {
    const low = crossings(samplesOf(speech([sentence], heard)).slice(4000, 20_000))
    const high = crossings(samplesOf(speech([sentence], { ...heard, voice: 'candidate' })).slice(4000, 20_000))
    expect(high).not.toBe(low)
    expect(speech([sentence], heard)).not.toEqual(speech([sentence], { ...heard, voice: 'candidate' }))
  })

  it('is the same for the same arguments, and another for each silence of a session', () => {
    expect(speech([sentence], heard)).toEqual(speech([sentence], heard))
    const silences = Array.from({ length: 30 }, (_, seed) =>
      speech([], { ...heard, durationMs: 100, seed }).toString('hex'),
    )
    expect(new Set(silences).size).toBe(30)
  })
})
