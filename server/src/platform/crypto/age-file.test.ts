import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { openFile, sealFile } from './age-file.ts'
import { generateIdentity } from './age-keys.ts'

const cut = async function* (bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  await Promise.resolve()
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const whole = (pieces: AsyncIterable<Buffer>): Promise<Buffer> => buffer(pieces)

const [ours, others, stranger] = [generateIdentity(), generateIdentity(), generateIdentity()]
const recipients = [ours.recipient, others.recipient]
const sizes = [0, 1, 65_535, 65_536, 65_537, 1_048_576, 1_048_577, 2_500_000]

describe('an age file of a stream', () => {
  it.each(sizes)('of %i bytes opens for each recipient, however it is cut on its way', async (size) => {
    const bytes = randomBytes(size)
    const sealed = await whole(sealFile(cut(bytes, 70_001), recipients))
    expect((await whole(openFile(cut(sealed, 65_552), [others]))).equals(bytes)).toBe(true)
    expect((await whole(openFile(cut(sealed, 1_000_003), [stranger, ours]))).equals(bytes)).toBe(true)
  })

  it('does not open for somebody else, cut anywhere, grown or changed', async () => {
    const sealed = await whole(sealFile(cut(randomBytes(200_000), 50_000), [ours.recipient]))
    const codeOf = (bytes: Buffer, identity = ours) =>
      whole(openFile(cut(bytes, 4096), [identity])).then(
        () => 'opened',
        (error: { code?: string }) => error.code,
      )
    expect(await codeOf(sealed, stranger)).toBe('no_matching_identity')
    for (const length of [0, 10, 150, 210, 65_000, sealed.length - 1, sealed.length - 4000])
      expect(await codeOf(sealed.subarray(0, length))).toMatch(/malformed_header|payload_corrupt/)
    // On the edge of a chunk: what is left is well-formed, and lacks its end.
    const head = sealed.length - 200_000 - 4 * 16
    expect(await codeOf(sealed.subarray(0, head + 2 * 65_552))).toBe('payload_corrupt')
    expect(await codeOf(Buffer.concat([sealed, randomBytes(1)]))).toBe('payload_corrupt')
    const flipped = Buffer.from(sealed)
    flipped[100_000]! ^= 1
    expect(await codeOf(flipped)).toBe('payload_corrupt')
    expect(await codeOf(Buffer.from('what is this'))).toBe('malformed_header')
  })
})

describe("Debian's age", () => {
  const folder = mkdtempSync(join(tmpdir(), 'age-file-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(sizes)('opens a sealed stream of %i bytes, and what it seals opens here', async (size) => {
    const bytes = randomBytes(size)
    const identity = join(folder, 'identity')
    writeFileSync(identity, `${ours.identityText}\n`, { mode: 0o600 })
    const age = (args: readonly string[], input: Buffer) => execFileSync('age', args, { input, maxBuffer: 1e8 })
    const sealed = await whole(sealFile(cut(bytes, 70_001), [ours.recipient]))
    expect(age(['-d', '-i', identity], sealed).equals(bytes)).toBe(true)
    const theirs = age(['-r', ours.recipient], bytes)
    expect((await whole(openFile(cut(theirs, 9999), [ours]))).equals(bytes)).toBe(true)
  })
})
