import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orgIdentity } from '../../../src/domains/organisation/orgs/orgs.service.ts'
import { readBeside } from '../../../src/domains/recording/evidence/evidence.beside.service.ts'
import { openHeader } from '../../../src/platform/crypto/sealed-header.ts'
import { openSealed } from '../../../src/platform/storage/sealed-object.ts'
import { buildCaptureSession, type CaptureSession, storedFiles } from '../../test-support/capture-session.ts'
import { carveAll, connectCarver, olderTransactionsOver } from '../../test-support/carve.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { type PackedItem, packedSound, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { evidenceOf, scopeOf } from '../evidence/evidence.test-support.ts'
import { dayMs, retentionOf } from '../retention/retention.test-support.ts'
import { trailOf } from './packs.test-support.ts'

const retentionDays = 1
/** Items that go first, of so many in each of two packs: their rows lie on several pages. */
const gone = 5
const perPack = 40

interface Sealed {
  readonly id: string
  readonly storeKey: string
  readonly header: string
}

for (const engine of everyEngine())
  describe(`an item of a pack that was erased, to whoever has every byte (${engine})`, () => {
    let server: TestServer
    let client: pg.Client | undefined
    beforeAll(async () => {
      server = await startServer({ engine })
      if (engine === 'postgres') client = await connectCarver(server.app.config.databaseUrl!)
    })
    afterAll(async () => {
      await client?.end()
      await server.stop()
    })
    const { download } = evidenceOf(() => server)
    const trail = trailOf(() => server)
    const carve = (text: string) => carveAll(server.app.config.dataDir, client)(text)

    const marker = () => `marker-${randomBytes(12).toString('hex')}`
    /** Sound that says something that can be looked for. */
    const speaking = (words: string, sequence: number): PackedItem =>
      packedSound(server, {
        sequence,
        body: Buffer.concat([Buffer.from('OggS'), Buffer.from(words), randomBytes(3000)]),
        levels: Buffer.from(words.slice(0, 20)).toString('base64'),
      })
    const sealedOf = (s: CaptureSession) =>
      server.app.db.reader.all<Sealed>(
        `SELECT e.evidence_id AS id, o.store_key AS "storeKey", o.header FROM evidence e
         JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id WHERE e.session_id = ? ORDER BY e.position`,
        [s.id],
      )
    const wrappedOf = async (s: CaptureSession) => {
      const sql = 'SELECT wrapped FROM session_keys WHERE session_id = ?'
      return (await server.app.db.reader.get<{ wrapped: string }>(sql, [s.id]))!.wrapped
    }
    /** What a thief does who has the session's key and the organisation's identity, too. */
    const open = async (s: CaptureSession, { header, storeKey }: Sealed, item: PackedItem, place = storeKey) => {
      const key = server.app.keyring.unwrap(await wrappedOf(s), `session-key:${s.orgId}:${s.id}`)
      const identity = await orgIdentity({ ...server.app, reader: server.app.db.reader }, s.orgId)
      const plain = openHeader(key, header, storeKey)
      const pieces: Buffer[] = []
      const size = { sizeBytes: item.body.length }
      for await (const piece of openSealed(plain, identity, server.app.store, place, size)) pieces.push(piece)
      return Buffer.concat(pieces)
    }
    const found = async (all: readonly Sealed[]) => {
      const each: boolean[] = []
      for (const { header } of all) each.push((await carve(header)).length > 0)
      return each
    }
    const newFile = async (before: readonly string[]) =>
      (await storedFiles(server, 'objects')).find((path) => !before.includes(path))!
    /** The first items go, as a sweep takes them that may take so many. */
    const eraseFirst = async () => {
      server.clock.advance((retentionDays + 1) * dayMs)
      expect(await retentionOf(server).run({ maxObjects: gone })).toMatchObject({ state: 'more', erasedObjects: gone })
      await server.processAll()
    }
    /** What autovacuum and the operator's checkpoints do in their time: docs/proof.md. */
    const settle = async () => {
      if (client) await olderTransactionsOver(client)
      await client?.query('VACUUM (FULL) objects')
      await client?.query('SELECT pg_switch_wal()')
      await client?.query('CHECKPOINT')
    }

    it('is nowhere, and nothing that is left opens it; its neighbours are whole, and the trail is content', async () => {
      const before = await storedFiles(server, 'objects')
      const s = await buildCaptureSession(server, { environment: 'live', config: { retentionDays } })
      const words = Array.from({ length: 2 * perPack }, marker)
      const sent = words.map((text, sequence) => speaking(text, sequence))
      const first = await sendPack(s, sent.slice(0, perPack))
      const path = await newFile(before)
      const file = await readFile(path)
      const items = [...first, ...(await sendPack(s, sent.slice(perPack)))].map(({ evidence }) => evidence!)
      await s.api.call('sessions.end', { params: { id: s.id } })
      const sealed = await sealedOf(s)
      // Whoever has a header, the key of the session and the stored file can read the item: that is what goes.
      expect((await open(s, sealed[0]!, sent[0]!)).equals(sent[0]!.body)).toBe(true)
      expect(await found(sealed)).toEqual(sealed.map(() => true))

      await eraseFirst()
      await settle()
      expect(await found(sealed)).toEqual(sealed.map((_, n) => n >= gone))
      for (const text of words.slice(0, gone + 1)) expect(await carve(text), text).toEqual([])
      expect(server.logLines.join('\n')).not.toContain(sealed[0]!.header)
      // The bytes of the pack are what they were; with the keys of its neighbours those of the item stay noise.
      expect((await readFile(path)).equals(file)).toBe(true)
      await expect(open(s, sealed[gone]!, sent[0]!, sealed[0]!.storeKey)).rejects.toMatchObject({
        code: 'payload_corrupt',
      })
      const call = { ...server.app, reader: server.app.db.reader, scope: scopeOf(s) }
      for (const n of [gone, perPack - 1, perPack]) {
        expect((await bytesOf(await download(s, items[n]!.id))).bytes.equals(sent[n]!.body)).toBe(true)
        expect((await readBeside(call, { item: items[n]!, name: 'levels' }))!.toString()).toBe(words[n]!.slice(0, 20))
      }
      expect(await trail.faults(s)).toEqual([])
    })
  })
