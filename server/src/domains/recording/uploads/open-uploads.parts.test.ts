import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateIdentity } from '../../../platform/crypto/age-keys.ts'
import { BufferPool } from '../../../platform/storage/buffer-pool.ts'
import { LocalStore } from '../../../platform/storage/local.store.ts'
import { SealedUpload } from '../../../platform/storage/sealed-upload.ts'
import { OpenUploads, StillFinishing } from './open-uploads.parts.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('uploads held open', () => {
  let root: string
  let opened: string[]
  let errors: unknown[]
  const partBytes = 65_536
  const begin = (id: string) => () => {
    opened.push(id)
    const buffers = new BufferPool(partBytes + 1024, 1)
    const place = { store: new LocalStore(root), key: `org_a/${id}`, size: partBytes, partSize: partBytes, buffers }
    return SealedUpload.begin({ ...place, recipients: [generateIdentity().recipient] })
  }
  const part = randomBytes(partBytes)

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'open-uploads-'))
    opened = []
    errors = []
  })
  afterEach(() => rm(root, { recursive: true }))

  it('are opened once for all who use them at the same time and afterwards', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    const partCount = () => uploads.use('a', begin('a'), async (sealed) => sealed.partCount)
    expect(await Promise.all([partCount(), partCount()])).toEqual([1, 1])
    await partCount()
    expect(opened).toEqual(['a'])
    uploads.stop()
    expect(errors).toEqual([])
  })

  it('that could not be opened are tried again by the next', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    const fail = () => Promise.reject(new Error('no such store'))
    await expect(uploads.use('a', fail, async () => 1)).rejects.toThrow('no such store')
    expect(await uploads.use('a', begin('a'), async () => 2)).toBe(2)
    uploads.stop()
  })

  it('dropped while in use stay open until the work is done', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    await uploads.use('a', begin('a'), async (sealed) => {
      uploads.drop('a')
      await sealed.writePart(0, part, sha256(part))
    })
    await uploads.use('a', begin('b'), async () => undefined)
    expect(opened).toEqual(['a', 'b'])
    uploads.stop()
  })

  it('are bounded: the longest unused is let go', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    for (let index = 0; index < 65; index++) await uploads.use(`u${index}`, begin(`u${index}`), async () => undefined)
    await uploads.use('u64', begin('u64'), async () => undefined)
    expect(opened).toHaveLength(65)
    await uploads.use('u0', begin('again'), async () => undefined)
    expect(opened.at(-1)).toBe('again')
    uploads.stop()
  })

  it('are not held beyond their use once the process drains', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    await uploads.use('a', begin('a'), async (sealed) => {
      uploads.stop()
      await sealed.writePart(0, part, sha256(part))
    })
    await uploads.use('a', begin('b'), async () => undefined)
    expect(opened).toEqual(['a', 'b'])
  })

  it('are finished once, however many ask for it at the same time', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    await uploads.use('a', begin('a'), (sealed) => sealed.writePart(0, part, sha256(part)))
    let runs = 0
    const finish = () =>
      uploads.finish(
        'a',
        begin('other'),
        async (sealed) => {
          runs += 1
          await sealed.finish()
          return 'done'
        },
        60_000,
      )
    expect(await Promise.all([finish(), finish(), finish()])).toEqual(['done', 'done', 'done'])
    expect(runs).toBe(1)
    expect(opened).toEqual(['a'])
  })

  it('that take longer than their caller waits go on, and the next one gets what became of them', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    await uploads.use('a', begin('a'), (sealed) => sealed.writePart(0, part, sha256(part)))
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    let runs = 0
    const finish = (patienceMs: number) =>
      uploads.finish(
        'a',
        begin('other'),
        async (sealed) => {
          runs += 1
          await gate
          await sealed.finish()
          return 'done'
        },
        patienceMs,
      )
    await expect(finish(1)).rejects.toBeInstanceOf(StillFinishing)
    await expect(finish(1)).rejects.toBeInstanceOf(StillFinishing)
    openGate()
    expect(await finish(60_000)).toBe('done')
    expect([runs, opened, errors]).toEqual([1, ['a'], []])
    uploads.stop()
  })

  it('that fail after their caller has gone begin again with the next one', async () => {
    const uploads = new OpenUploads((error) => errors.push(error))
    await uploads.use('a', begin('a'), (sealed) => sealed.writePart(0, part, sha256(part)))
    const { promise: gate, reject: fail } = Promise.withResolvers<string>()
    await expect(uploads.finish('a', begin('b'), () => gate, 1)).rejects.toBeInstanceOf(StillFinishing)
    fail(new Error('the bucket is away'))
    await expect(uploads.finish('a', begin('b'), () => gate, 60_000)).rejects.toThrow('the bucket is away')
    expect(await uploads.finish('a', begin('c'), async () => 'done', 60_000)).toBe('done')
    uploads.stop()
  })
})
