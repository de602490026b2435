import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ffmpeg } from '../../../test/test-support/film-fixtures.ts'
import { speech } from './sandbox.voices.model.ts'

const rate = 48_000

/** What a player hears: samples from -1 to 1. */
const decoded = async (bytes: Buffer): Promise<Float32Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'voices-'))
  try {
    const path = join(folder, 'sound.webm')
    await writeFile(path, bytes)
    const args = ['-v', 'error', '-xerror', '-i', path, '-f', 'f32le', '-ar', String(rate), 'pipe:1']
    const options = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const
    const { stdout, stderr } = await promisify(execFile)(ffmpeg?.path ?? 'ffmpeg', args, options)
    expect(stderr.toString()).toBe('')
    return new Float32Array(stdout.buffer, stdout.byteOffset, stdout.length / 4)
  } finally {
    await rm(folder, { recursive: true })
  }
}
const loudest = (samples: Float32Array): number => samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)

describe.skipIf(!ffmpeg)('simulated sound, decoded', () => {
  const heard = { voice: 'candidate', name: 'one' } as const

  it.each([20, 4010, 29_987])('is %d ms long to the millisecond', async (durationMs) => {
    const samples = await decoded(await speech([{ sentence: 3, fromMs: 0, untilMs: durationMs }], { ...heard, durationMs }))
    expect(Math.round((samples.length * 1000) / rate)).toBe(durationMs)
  })

  it('speaks in the time of its sentence, and is nearly silent around it', async () => {
    const sound = await speech([{ sentence: 3, fromMs: 1000, untilMs: 4000 }], { ...heard, durationMs: 6000 })
    const samples = await decoded(sound)
    const between = (from: number, to: number) => loudest(samples.subarray(from * rate, to * rate))
    expect(between(1, 4)).toBeGreaterThan(0.3)
    expect(between(0, 0.9)).toBeLessThan(0.05)
    expect(between(4.5, 6)).toBeLessThan(0.05)
  })
})
