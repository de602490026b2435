import { createHash, createPrivateKey, createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureItemText, noItemHash } from '@integrity/protocol'
import vectors from '@integrity/protocol/vectors/capture-chain.json' with { type: 'json' }
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CapturedItem } from '../capture/types.ts'
import { CaptureChain } from './capture-chain.ts'
import { fileKeyStore } from './key-store.ts'
import { Spool } from './spool.ts'
import { openDatabase } from './spool-database.ts'
import { SpoolIndex } from './spool-index.ts'
import type { ItemHeader } from './types.ts'

let dir: string
const open: Spool[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'chain-'))
})
afterEach(async () => {
  for (const spool of open.splice(0)) await spool.close()
  await rm(dir, { recursive: true, force: true })
})

const openSpool = async (): Promise<Spool> => {
  const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir) })
  open.push(spool)
  return spool
}
/** As after a stop at any instant. */
const reopen = async (spool: Spool): Promise<Spool> => {
  await spool.close()
  return openSpool()
}
const still = (): CapturedItem => ({
  kind: 'screenshot',
  lane: 'screen',
  displayId: ':1',
  capturedAt: 1_763_640_000_000.7,
  monotonicMs: 5,
  contentType: 'image/webp',
  bytes: randomBytes(100),
  meta: {},
})
const placeOf = ({ signed }: ItemHeader) => signed && [signed.signature.sequence, signed.signature.previous]
const sessionId = 'ses_01chain'

describe("the machine's chain", () => {
  it('signs as the vectors say', async () => {
    const { db } = await openDatabase(dir, Buffer.alloc(32, 1), 0)
    const chain = new CaptureChain(new SpoolIndex(db), Buffer.alloc(32, 1))
    const der = Buffer.from(`302e020100300506032b657004220420${vectors.seed}`, 'hex')
    chain.begin(vectors.sessionId, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    const { documentHash, signature } = vectors.registration
    expect(chain.registration(documentHash)).toEqual({ key: vectors.key, signature })
    for (const item of vectors.items) {
      const { evidenceType: kind, sha256, capturedAt, durationMs, sequence, previous, hash } = item
      const header = { kind, sha256, capturedAt, ...(durationMs === null ? {} : { durationMs }) } as ItemHeader
      const expected = { key: vectors.key, sequence, previous, signature: item.signature }
      expect(chain.sign(header).signed).toEqual({ signature: expected, hash })
    }
    const { items, last } = vectors.end
    expect(chain.end()).toEqual({ key: vectors.key, items, last, signature: vectors.end.signature })
    db.close()
  })

  it('goes on over restarts, also when what was signed is gone from here, with one key', async () => {
    let spool = await openSpool()
    spool.chain.begin(sessionId)
    const key = spool.chain.registration('a'.repeat(64))?.key
    const first = await spool.put(still())
    spool = await reopen(spool)
    await spool.ack(first.clientId)
    spool = await reopen(spool)
    spool.chain.begin(sessionId)
    const second = await spool.put(still())
    expect([placeOf(first), placeOf(second)]).toEqual([
      [1, noItemHash],
      [2, first.signed?.hash],
    ])
    expect(second.signed?.signature.key).toBe(key)
    const { sha256 } = second
    const said = { sessionId, evidenceType: 'screenshot', sha256, capturedAt: 1_763_640_000_000, durationMs: null }
    const text = captureItemText({ ...said, sequence: 2, previous: first.signed?.hash ?? '' })
    expect(createHash('sha256').update(text).digest('hex')).toBe(second.signed?.hash)
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key ?? '' }, format: 'jwk' })
    const signature = Buffer.from(second.signed?.signature.signature ?? '', 'base64url')
    expect(verify(null, Buffer.from(text), publicKey, signature)).toBe(true)
    const item = spool.nextItem()
    expect(item && (await spool.read(item)).header.signed).toEqual(second.signed)
  })

  it('takes up the place of an item that was killed between its file and its row', async () => {
    let spool = await openSpool()
    spool.chain.begin(sessionId)
    await spool.put(still())
    const second = await spool.put(still())
    await spool.close()
    const key = await fileKeyStore(dir).getOrCreate()
    const { db } = await openDatabase(dir, key, 0)
    db.prepare('DELETE FROM items WHERE client_id = ?').run(second.clientId)
    const head = db.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'capture_head'`).get()
    expect(head?.value).toContain('"items":2')
    db.prepare(`UPDATE meta SET value = ? WHERE key = 'capture_head'`).run(
      JSON.stringify({ items: 1, last: second.signed?.signature.previous }),
    )
    db.close()
    spool = await openSpool()
    expect(placeOf(await spool.put(still()))).toEqual([3, second.signed?.hash])
  })

  it('gives the place of an item that found no room to the next one', async () => {
    const spool = await openSpool()
    spool.chain.begin(sessionId)
    const first = await spool.put(still())
    await rm(join(dir, 'items'), { recursive: true })
    await expect(spool.put(still())).rejects.toThrow()
    expect(spool.chain.end()).toMatchObject({ items: 1, last: first.signed?.hash })
  })

  it('gives no place twice when the index was lost: what comes then is not signed', async () => {
    let spool = await openSpool()
    spool.chain.begin(sessionId)
    const first = await spool.put(still())
    await spool.close()
    for (const name of await readdir(dir)) if (name.startsWith('spool.db')) await unlink(join(dir, name))
    spool = await openSpool()
    const item = spool.nextItem()
    expect(item && (await spool.read(item)).header.signed).toEqual(first.signed)
    expect((await spool.put(still())).signed).toBeUndefined()
    expect([spool.chain.end(), spool.chain.registration('a'.repeat(64))]).toEqual([undefined, undefined])
  })

  it('keeps its key sealed, and destroys it with the session', async () => {
    let spool = await openSpool()
    expect((await spool.put(still())).signed).toBeUndefined()
    spool.chain.begin(sessionId)
    const before = spool.chain.registration('a'.repeat(64))?.key
    await spool.discard()
    expect(spool.chain.end()).toBeUndefined()
    spool = await reopen(spool)
    expect(spool.chain.end()).toBeUndefined()
    spool.chain.begin(sessionId)
    expect(spool.chain.registration('a'.repeat(64))?.key).not.toBe(before)
    await spool.close()
    const files = await Promise.all(
      (await readdir(dir)).filter((n) => n.startsWith('spool.db')).map((n) => readFile(join(dir, n))),
    )
    // How an Ed25519 key of PKCS #8 begins, in base64.
    expect(files.some((file) => file.includes('MC4CAQAwBQYDK2Vw'))).toBe(false)
  })
})
