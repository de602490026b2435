import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generateIdentity } from '../crypto/age-keys.ts'
import { LocalStore } from './local.store.ts'
import { openSealed, sealWhole } from './sealed-object.ts'

const mib = 1024 * 1024

describe('memory', () => {
  it('sealing and opening hold a few pieces of an object, never the whole', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sealed-memory-'))
    const store = new LocalStore(root)
    const identity = generateIdentity()
    const size = 96 * mib
    const piece = Buffer.alloc(64 * 1024, 5)
    let pulled = 0
    let furthest = 0
    async function* source() {
      for (; pulled < size; pulled += piece.length) yield piece
    }
    // How far the source may run ahead of the disk is what the sealer holds.
    const put = store.put.bind(store)
    store.put = (key, payload, options) => put(key, ahead(payload), options)
    async function* ahead(payload: AsyncIterable<Uint8Array>) {
      let written = 0
      for await (const sealed of payload) {
        furthest = Math.max(furthest, pulled - written)
        yield sealed
        written += sealed.length
      }
    }
    try {
      const key = 'org_a/big'
      const { header, sha256 } = await sealWhole(source(), { store, key, size, recipients: [identity.recipient] })
      expect(furthest).toBeGreaterThan(0)
      expect(furthest).toBeLessThanOrEqual(2 * mib)
      const hash = createHash('sha256')
      let largest = 0
      for await (const opened of openSealed(header, identity, store, key, { sizeBytes: size })) {
        largest = Math.max(largest, opened.length)
        hash.update(opened)
      }
      expect(largest).toBe(64 * 1024)
      expect(hash.digest('hex')).toBe(sha256)
    } finally {
      await rm(root, { recursive: true })
    }
  })
})
