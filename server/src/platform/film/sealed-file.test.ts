import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkBytes } from '../crypto/age-stream.ts'
import { SealedFile } from './sealed-file.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sealed-file-'))
})
afterAll(() => rm(directory, { recursive: true }))

const pattern = (size: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(size / 4) }, (_, i) => i).buffer).subarray(0, size)
const readAll = async (file: SealedFile): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of file.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('a sealed file', () => {
  it.each([0, 1, chunkBytes, 16 * chunkBytes, 16 * chunkBytes + 1, 32 * chunkBytes, 3_000_001])(
    'gives back %i bytes, as often as it is read, whatever the pieces they came in',
    async (size) => {
      const bytes = pattern(size)
      const file = await SealedFile.create(directory)
      for (let at = 0; at < size; at += 777_777) await file.append(bytes.subarray(at, at + 777_777))
      await file.finish()
      expect(file.size).toBe(size)
      expect((await readAll(file)).equals(bytes)).toBe(true)
      expect((await readAll(file)).equals(bytes)).toBe(true)
      await file.discard()
      await file.discard()
    },
  )

  it('gives nothing once it is discarded', async () => {
    const file = await SealedFile.create(directory)
    await file.append(Buffer.from('plain'))
    await file.finish()
    await file.discard()
    await expect(readAll(file)).rejects.toThrow()
  })
})
