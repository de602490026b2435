import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { ffmpeg } from './film-fixtures.ts'

export const soundRate = 8000

/** What a player hears of a file: samples from -1 to 1, at `soundRate`. */
export const decodedSound = async (bytes: Buffer): Promise<Float32Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'sound-'))
  try {
    const path = join(folder, 'sound')
    await writeFile(path, bytes)
    const args = ['-v', 'error', '-xerror', '-i', path, '-f', 'f32le', '-ar', String(soundRate), 'pipe:1']
    const options = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const
    const { stdout, stderr } = await promisify(execFile)(ffmpeg?.path ?? 'ffmpeg', args, options)
    expect(stderr.toString()).toBe('')
    return Float32Array.from({ length: stdout.length / 4 }, (_, n) => stdout.readFloatLE(n * 4))
  } finally {
    await rm(folder, { recursive: true })
  }
}
