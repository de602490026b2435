import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CaptureSession, iso, newClientId, refusal, sha256 } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { uploadsOf } from '../uploads/uploads.test-support.ts'

const input = (name: string): Promise<Buffer> => readFile(new URL(`../../media-inputs/${name}`, import.meta.url))

for (const engine of enginesInTurn(import.meta.filename))
  describe(`recordings as they come in (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const { session, buildItem, beginRaw, sendPart, complete, partOf } = uploadsOf(() => server)
    const sound = (s: CaptureSession, bytes: Buffer, contentType: string, durationMs = 4000) => {
      const meta = {
        clientId: newClientId(),
        sequence: 0,
        durationMs,
        codec: 'told',
        sha256: sha256(bytes),
        startedAt: iso(server.clock.now()),
      }
      return s.agent.call('agent.audioChunks.upload', {
        params: { id: s.id },
        raw: { bytes, contentType, meta } as never,
      })
    }
    const clip = async (s: CaptureSession, bytes: Buffer, contentType: string, said: Record<string, unknown> = {}) => {
      const item = buildItem({ bytes, contentType })
      const { data } = await beginRaw(s, item, said)
      if (!('uploadId' in data)) throw new Error('the item is here already')
      for (let index = 0; index * item.partSize < bytes.length; index++)
        await sendPart(s, data.uploadId, index, partOf(item, index))
      return (await complete(s, data.uploadId)).data
    }
    /** G.711 made into the codec of old telephones, by its number alone. */
    const asGsm = (bytes: Buffer): Buffer => {
      const other = Buffer.from(bytes)
      other.writeUInt16LE(0x31, bytes.indexOf('fmt ') + 8)
      return other
    }

    it('are refused by the name of their codec where the film could not decode them, whole or in parts', async () => {
      const s = await session()
      const bytes = asGsm(await input('s-mulaw.wav'))
      await expect(sound(s, bytes, 'audio/wav')).rejects.toMatchObject({
        code: 'invalid_request',
        details: [{ path: 'data', message: expect.stringContaining('gsm_ms') }],
      })
      const film = await input('q.mp4')
      film.write('apch', film.lastIndexOf('avc1'), 'latin1')
      expect(await refusal(clip(s, film, 'video/mp4'))).toEqual({ status: 400, code: 'invalid_request', path: 'data' })
      expect((await s.api.call('sessions.evidence.list', { params: { id: s.id } })).data.total).toBe(0)
    })

    it('of telephones and phones are taken', async () => {
      const s = await session()
      for (const [name, type] of [
        ['s-mulaw.wav', 'audio/wav'],
        ['s-alac.mp4', 'audio/mp4'],
        ['s-pcm_s16be.mov.mp4', 'audio/mp4'],
      ] as const)
        expect((await sound(s, await input(name), type)).data.decodable).toBe(null)
    })

    it('without the index that decoders need are taken, and marked', async () => {
      const s = await session()
      expect(await clip(s, await input('q-nomoov.mp4'), 'video/mp4')).toMatchObject({ decodable: false })
      expect(await clip(s, await input('q-cut.webm'), 'video/webm')).toMatchObject({ decodable: null })
    })

    it('have the length that their container says where nobody told one, or told far too little', async () => {
      const s = await session()
      const q = await input('q.mp4')
      expect(await clip(s, q, 'video/mp4', { durationMs: undefined })).toMatchObject({ durationMs: 4000 })
      const another = Buffer.concat([q, Buffer.from('\0\0\0\x08free', 'latin1')])
      expect(await clip(s, another, 'video/mp4', { durationMs: 1000 })).toMatchObject({ durationMs: 4000 })
      const third = Buffer.concat([another, Buffer.from('\0\0\0\x08free', 'latin1')])
      expect(await clip(s, third, 'video/mp4', { durationMs: 3500 })).toMatchObject({ durationMs: 3500 })
      const untold = await clip(s, await input('red60.webm'), 'video/webm', { durationMs: undefined })
      // Where nothing says so, its last picture does.
      expect(untold).toMatchObject({ durationMs: 59_900 })
      expect((await sound(s, await input('s-mulaw.wav'), 'audio/wav', 1000)).data.durationMs).toBe(4000)
    })
  })
