import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evidenceCommands } from '../../../src/app/evidence-commands.ts'
import { readBeside } from '../../../src/domains/recording/evidence/evidence.beside.service.ts'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import { readSliceKey } from '../../../src/platform/storage/slice-key.ts'
import { type CaptureSession, picture, refusal, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { evidenceOf, scopeOf } from '../evidence/evidence.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`items of a pack, each for itself (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const { session, download } = evidenceOf(() => server)

    const reads = (s: CaptureSession) => ({ ...server.app, reader: server.app.db.reader, scope: scopeOf(s) })
    const eraseFirst = (s: CaptureSession, limit: number) =>
      server.app.db.transact((tx) =>
        eraseSomeEvidence(
          { ...server.app, tx, reader: tx, scope: scopeOf(s) },
          { sessionId: s.id, limit, now: server.clock.now() },
        ),
      )
    const objectsOf = (s: CaptureSession) =>
      server.app.db.reader.all<{ id: string; storeKey: string; header: string | null; small: string | null }>(
        `SELECT e.evidence_id AS id, o.store_key AS "storeKey", o.header, o.small_place AS small FROM evidence e
         JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id WHERE e.session_id = ? ORDER BY e.position`,
        [s.id],
      )
    const verify = async (s: CaptureSession) => {
      const lines: string[] = []
      const call = { app: server.app, env: {}, print: (line: string) => void lines.push(line), secret: async () => '' }
      const code = await evidenceCommands['evidence verify']!(call, ['--json', '--org', s.orgId])
      const findings = lines.slice(0, -1).map((line) => JSON.parse(line) as { sessionId: string; evidenceId: string })
      return { code, findings: findings.filter(({ sessionId }) => sessionId === s.id) }
    }
    const packed = async (count: number) => {
      const s = await session()
      const small = (await picture('webp', 16, 12)).toString('base64')
      const sent = await Promise.all(Array.from({ length: count }, () => packedStill(server, { small })))
      return { s, sent, items: (await sendPack(s, sent)).map(({ evidence }) => evidence!) }
    }

    it('are erased one by one: not a byte of it can be read, its neighbours are whole, the last takes the file', async () => {
      const files = (await storedFiles(server)).length
      const { s, sent, items } = await packed(3)
      const [first] = await objectsOf(s)
      const { header } = first!
      await eraseFirst(s, 1)
      await server.processAll()
      expect(await refusal(s.api.call('evidence.downloadUrl', { params: { id: items[0]!.id } }))).toMatchObject({
        status: 404,
      })
      expect((await objectsOf(s)).map((object) => object.header === null)).toEqual([true, false, false])
      await expect(readBeside(reads(s), { item: items[0]!, name: 'small' })).rejects.toMatchObject({
        code: 'not_found',
      })
      for (const n of [1, 2]) {
        expect((await bytesOf(await download(s, items[n]!.id))).bytes.equals(sent[n]!.body)).toBe(true)
        expect(await readBeside(reads(s), { item: items[n]!, name: 'small' })).toHaveLength(
          Buffer.from(String(sent[n]!.head['small']), 'base64').length,
        )
      }
      // The header that is gone was the only thing that opened it: those of its neighbours open nothing of it.
      expect((await objectsOf(s)).some((object) => object.header === header)).toBe(false)
      // An erasure of rows alone, as the service never does it, is not in the trail.
      expect((await verify(s)).findings).toMatchObject([{ fault: 'erasure_not_recorded' }])
      expect((await storedFiles(server)).length).toBe(files + 1)
      await eraseFirst(s, 2)
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files)
    })

    it('keep their file while a later item has the bytes of one of them', async () => {
      const files = (await storedFiles(server)).length
      const { s, sent } = await packed(2)
      const [again] = await sendPack(s, [await packedStill(server, { body: sent[0]!.body })])
      await eraseFirst(s, 2)
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files + 1)
      expect((await bytesOf(await download(s, again!.evidence!.id))).bytes.equals(sent[0]!.body)).toBe(true)
      await eraseFirst(s, 1)
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files)
    })

    it('go with their session, file and all', async () => {
      const files = (await storedFiles(server)).length
      const { s } = await packed(4)
      await s.api.call('sessions.end', { params: { id: s.id } })
      await s.api.call('sessions.erase', { params: { id: s.id } })
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files)
      expect((await objectsOf(s)).every(({ header }) => header === null)).toBe(true)
      expect((await verify(s)).findings).toEqual([])
    })

    it('are verified one by one: a byte that was changed is the fault of one item', async () => {
      const { s, sent, items } = await packed(3)
      expect((await verify(s)).findings).toEqual([])
      const slice = readSliceKey((await objectsOf(s))[1]!.storeKey)!
      const reader = await server.app.store.open(slice.key)
      const whole = Buffer.from(await reader.read(0, reader.size))
      await reader.close()
      whole[slice.from + 40] = whole[slice.from + 40]! ^ 1
      await server.app.store.remove(slice.key)
      async function* source() {
        yield whole
      }
      await server.app.store.put(slice.key, source(), { size: whole.length })
      expect((await verify(s)).findings).toMatchObject([{ evidenceId: items[1]!.id, fault: 'object_changed' }])
      for (const n of [0, 2])
        expect((await bytesOf(await download(s, items[n]!.id))).bytes.equals(sent[n]!.body)).toBe(true)
      await server.app.store.remove(slice.key)
      const missing = (await verify(s)).findings.map(({ evidenceId }) => evidenceId)
      expect(missing.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
    })

    it('that were put in each other’s place are refused', async () => {
      const { s, items } = await packed(2)
      const [a, b] = await objectsOf(s)
      const put = (id: string, key: string) =>
        server.app.db.transact((tx) =>
          tx.run(
            'UPDATE objects SET store_key = ? WHERE object_id = (SELECT object_id FROM evidence WHERE evidence_id = ?)',
            [key, id],
          ),
        )
      await put(a!.id, b!.storeKey)
      await put(b!.id, a!.storeKey)
      for (const { id } of items) expect((await bytesOf(await download(s, id))).status).toBe(500)
    })

    it('never lie in the store as plain bytes', async () => {
      const s = await session()
      const sent = [await packedStill(server), packedSound(server, { sequence: 0 })]
      await sendPack(s, sent)
      const files = await Promise.all((await storedFiles(server)).map((path) => readFile(path)))
      for (const { body } of sent) expect(files.some((file) => file.includes(body.subarray(8, 40)))).toBe(false)
    })
  })
