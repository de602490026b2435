import { expect, it } from 'vitest'
import { readMatroska } from './matroska.ts'

it('a recording of millions of empty elements is looked at for a bounded number of times, and has no length', async () => {
  // A head, a segment and a cluster without lengths, and then elements of two bytes that hold nothing.
  const head = Buffer.from('1a45dfa380' + '1853806701ffffffffffffff' + '1f43b67501ffffffffffffff', 'hex')
  const bytes = Buffer.concat([head, Buffer.alloc(6_000_000, Buffer.from('ec80', 'hex'))])
  let looks = 0
  const read = async (at: number, length: number) => {
    looks += 1
    return bytes.subarray(at, at + length)
  }
  const { durationMs } = await readMatroska({ read, sizeBytes: bytes.length })
  expect(durationMs).toBeNull()
  // Without the bound it reads all of it, a quarter of a megabyte at a time.
  expect(looks).toBeLessThan(5)
})
