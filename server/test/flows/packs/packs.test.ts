import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { evidenceOf } from '../evidence/evidence.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`agent.packs.upload (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const { session, list, download } = evidenceOf(() => server)

    it('stores several items in one object, and gives the very bytes of each back', async () => {
      const s = await session()
      const before = (await storedFiles(server, 'objects')).length
      const sent = [
        await packedStill(server),
        packedSound(server, { sequence: 0 }),
        await packedStill(server),
        packedSound(server, { sequence: 1, evidenceType: 'system_audio_chunk' }),
      ]
      const items = await sendPack(s, sent)
      expect(items.map(({ status, clientId }) => [status, clientId])).toEqual(
        sent.map(({ head }) => ['stored', head.clientId]),
      )
      expect((await storedFiles(server, 'objects')).length).toBe(before + 1)
      expect((await list(s)).items).toEqual(items.map(({ evidence }) => evidence))
      for (const [n, { evidence }] of items.entries())
        expect((await bytesOf(await download(s, evidence!.id))).bytes.equals(sent[n]!.body)).toBe(true)
    })

    it('refuses what is no pack as a whole', async () => {
      const s = await session()
      const send = (bytes: Uint8Array<ArrayBuffer>) => {
        const raw = { bytes, contentType: 'application/vnd.integrity.pack', meta: {} }
        return refusal(s.agent.call('agent.packs.upload', { params: { id: s.id }, raw }))
      }
      const malformed = { status: 400, code: 'invalid_request', path: 'data' }
      expect(await send(new Uint8Array())).toEqual(malformed)
      expect(await send(new Uint8Array([0, 0, 0, 9, 1]))).toEqual(malformed)
      expect((await list(s)).total).toBe(0)
    })
  })
