import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { unwrapFileKey } from '../crypto/age-header.ts'
import { generateIdentity, parseIdentity, parseRecipient } from '../crypto/age-keys.ts'
import { openRange, payloadKey, plainSize } from '../crypto/age-stream.ts'
import { BufferPool } from './buffer-pool.ts'
import { LocalStore } from './local.store.ts'
import { pieces, readWhole } from './place.conformance.ts'
import { sealWhole } from './sealed-object.ts'
import { SealedUpload } from './sealed-upload.ts'

const sizes = [0, 1, 65_535, 65_536, 65_537, 200_000]

const ageIsInstalled = (): boolean => {
  try {
    execFileSync('age', ['--version'], { stdio: 'ignore' })
    execFileSync('age-keygen', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const installed = ageIsInstalled()
// A build server without it must fail, or the claim would go untested forever.
const run = installed || process.env.CI !== undefined
if (!run) console.warn('SKIPPED: age and age-keygen are not installed (apt-get install -y age)')

describe.skipIf(!run)("Debian's age", () => {
  const folder = mkdtempSync(join(tmpdir(), 'age-interop-'))
  const identityFile = join(folder, 'identity.txt')
  const identity = generateIdentity()
  writeFileSync(identityFile, `${identity.identityText}\n`, { mode: 0o600 })
  const store = new LocalStore(folder)
  afterAll(() => rmSync(folder, { recursive: true }))

  const age = (args: string[], input: Buffer) =>
    execFileSync('age', args, { input, maxBuffer: 1 << 24, stdio: ['pipe', 'pipe', 'pipe'] })

  it('derives the same recipient from our identity, and we from its', () => {
    expect(execFileSync('age-keygen', ['-y', identityFile]).toString().trim()).toBe(identity.recipient)
    const made = execFileSync('age-keygen', { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    const theirs = parseIdentity(/^AGE-SECRET-KEY-.*$/m.exec(made)![0])
    expect(theirs.recipient).toBe(/age1[a-z0-9]+/.exec(made)![0])
    expect(parseRecipient(theirs.recipient).equals(theirs.publicKey)).toBe(true)
  })

  it.each(sizes)('opens header and stored payload, joined, of %i bytes', async (size) => {
    const bytes = randomBytes(size)
    const key = `org_a/whole_${size}`
    const recipients = [generateIdentity().recipient, identity.recipient]
    const { header } = await sealWhole(pieces(bytes), { store, key, size, recipients })
    const file = Buffer.concat([Buffer.from(header), await readWhole(store, key)])
    expect(age(['-d', '-i', identityFile], file).equals(bytes)).toBe(true)
  })

  it.each(sizes)('opens an object of %i bytes that was uploaded in parts', async (size) => {
    const bytes = randomBytes(size)
    const key = `org_a/parts_${size}`
    const place = { store, key, size, partSize: 65_536, buffers: new BufferPool(70_000, 1) }
    const upload = await SealedUpload.begin({ ...place, recipients: [identity.recipient] })
    for (let index = upload.partCount - 1; index >= 0; index--) {
      const part = bytes.subarray(index * 65_536, (index + 1) * 65_536)
      await upload.writePart(index, part, createHash('sha256').update(part).digest('hex'))
    }
    await upload.finish()
    const file = Buffer.concat([Buffer.from(upload.state.header), await readWhole(store, key)])
    expect(age(['-d', '-i', identityFile], file).equals(bytes)).toBe(true)
  })

  it.each(sizes)('makes a file of %i bytes that we open', async (size) => {
    const bytes = randomBytes(size)
    const file = age(['-r', generateIdentity().recipient, '-r', identity.recipient], bytes)
    const headerEnd = file.indexOf('\n', file.indexOf('\n---') + 1) + 1
    const fileKey = unwrapFileKey(file.toString('latin1', 0, headerEnd), identity)
    const payload = file.subarray(headerEnd)
    expect(plainSize(payload.length)).toBe(size)
    const readAt = async (offset: number, length: number) => payload.subarray(offset, offset + length)
    const range = { size, start: 0, end: size }
    const found = await Readable.from(openRange(readAt, payloadKey(fileKey, payload.subarray(0, 16)), range)).toArray()
    expect(Buffer.concat(found).equals(bytes)).toBe(true)
  })

  it('refuses our object when its last chunk is cut off, as we do', async () => {
    const key = 'org_a/cut'
    const bytes = randomBytes(131_072)
    const { header } = await sealWhole(pieces(bytes), {
      store,
      key,
      size: bytes.length,
      recipients: [identity.recipient],
    })
    const payload = await readWhole(store, key)
    const file = Buffer.concat([Buffer.from(header), payload.subarray(0, 16 + 65_552)])
    expect(() => age(['-d', '-i', identityFile], file)).toThrow()
  })
})
