import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildCaptureSession,
  type CaptureSession,
  newClientId,
  refusal,
  sendStill,
} from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { uploadsOf } from '../uploads/uploads.test-support.ts'

/** Many pixels: a picture of one colour, unlike any other, which has to be decoded, as its end mark is not there. */
const huge = async (megapixels: number): Promise<Buffer> => {
  const whole = await sharp({
    create: { width: 2000, height: megapixels * 500, channels: 3, background: { r: 1, g: 2, b: 3 } },
  })
    .withExif({ IFD0: { Copyright: newClientId() } })
    .jpeg()
    .toBuffer()
  return whole.subarray(0, -2)
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what is decoded of the pictures of a session (${engine})`, () => {
    let server: TestServer
    let s: CaptureSession
    beforeAll(async () => {
      server = await startServer({ engine, limits: { megapixelsPerSession: 30 } })
    })
    beforeEach(async () => {
      s = await buildCaptureSession(server)
    })
    afterAll(() => server.stop())
    const { buildItem, sendAll, complete } = uploadsOf(() => server)
    const send = (bytes: Buffer, to = s) => sendStill(server, to, { bytes, contentType: 'image/jpeg' })
    const used = { status: 429, code: 'rate_limited' }

    it('has a ceiling for each minute, which is no other session’s', async () => {
      for (let n = 0; n < 3; n += 1) expect((await send(await huge(10))).status).toBe(201)
      const one = await huge(10)
      expect(await refusal(send(one))).toMatchObject(used)
      const answer = await fetch(`${server.url}/v1/sessions/${s.id}/screenshots`, {
        method: 'POST',
        headers: { authorization: `Bearer ${s.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...(await stillBody(one)), data: one.toString('base64') }),
      })
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.get('ratelimit-limit')).toBe('30')
      expect((await send(one, await buildCaptureSession(server))).status).toBe(201)
      server.clock.advance(60_000)
      expect((await send(one)).status).toBe(201)
    })

    const stillBody = async (bytes: Buffer) => {
      const { buildStill } = await import('../../test-support/capture-session.ts')
      const { meta, contentType } = await buildStill(server, { bytes, contentType: 'image/jpeg' })
      return { ...meta, contentType }
    }

    it('is not what the session holds already', async () => {
      const bytes = await huge(30)
      for (let n = 0; n < 4; n += 1) expect((await send(bytes)).status).toBe(201)
      expect(await refusal(send(await huge(1)))).toMatchObject(used)
    })

    it('puts an upload in parts off, which is completed later', async () => {
      const item = buildItem({ evidenceType: 'screenshot', contentType: 'image/jpeg', bytes: await huge(5) })
      const uploadId = await sendAll(s, item, [0])
      expect((await send(await huge(30))).status).toBe(201)
      expect(await refusal(complete(s, uploadId))).toMatchObject(used)
      server.clock.advance(60_000)
      expect((await complete(s, uploadId)).status).toBe(201)
    })

    it('is nothing of a picture that is refused by its head', async () => {
      for (let n = 0; n < 3; n += 1) expect((await refusal(send(await huge(101)))).status).toBe(400)
      expect((await send(await huge(1))).status).toBe(201)
    })
  })
