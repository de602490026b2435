import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCaptureSession,
  type CaptureSession,
  film,
  iso,
  newClientId,
  sha256,
} from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

/** Dates in seconds by number, and the order in which they are sent. */
interface Sent {
  readonly dates: readonly number[]
  readonly order: readonly number[]
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the order of sound (${engine})`, () => {
    let server: TestServer
    let bytes = 1500
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const send = async (s: CaptureSession, sequence: number, seconds: number) => {
      bytes += 1
      const sound = film(bytes)
      const meta = {
        clientId: newClientId(),
        sequence,
        durationMs: 5000,
        codec: 'opus',
        sha256: sha256(sound),
        startedAt: iso(server.clock.now() + seconds * 1000),
      }
      const raw = { bytes: sound, contentType: 'audio/webm', meta } as const
      return (await s.agent.call('agent.systemAudio.upload', { params: { id: s.id }, raw })).data
    }
    const numbers = async (s: CaptureSession, limit = 2) => {
      const found: unknown[] = []
      for (let cursor: string | undefined; ; ) {
        const query = { limit, ...(cursor === undefined ? {} : { cursor }) }
        const { data } = await s.api.call('sessions.systemAudio.list', { params: { id: s.id }, query })
        found.push(...data.items.map(({ metadata }) => metadata['sequence']))
        if (data.nextCursor === null) return found
        cursor = data.nextCursor
      }
    }

    const dates = [0, 10, 20, 10, 20, 30, 40]
    it.each<[string, Sent]>([
      ['whose clock was put back, sent in order', { dates, order: [0, 1, 2, 3, 4, 5, 6] }],
      ['whose clock was put back, sent late', { dates, order: [3, 6, 0, 2, 5, 1, 4] }],
      ['whose clock was put back, sent backwards', { dates, order: [6, 5, 4, 3, 2, 1, 0] }],
      ['whose clock was ahead for one piece', { dates: [0, 10, 250, 30, 40], order: [2, 4, 1, 3, 0] }],
      ['of pieces with one date', { dates: [0, 0, 0, 0], order: [2, 0, 3, 1] }],
      ['with the right dates, sent late', { dates: [0, 10, 20, 30], order: [3, 1, 0, 2] }],
    ])('%s, is that of its numbers on every page', async (_name, sent) => {
      const s = await buildCaptureSession(server)
      for (const sequence of sent.order) await send(s, sequence, sent.dates[sequence]!)
      const all = [...sent.dates.keys()]
      expect(await numbers(s)).toEqual(all)
      expect(await numbers(s, 50)).toEqual(all)
    })

    it('keeps the date that was told, whatever the place', async () => {
      const s = await buildCaptureSession(server)
      await send(s, 0, 20)
      const moved = await send(s, 1, 5)
      const { data } = await s.api.call('sessions.systemAudio.list', { params: { id: s.id } })
      expect(data.items[1]).toEqual(moved)
      expect(moved.capturedAt).toBe(iso(server.clock.now() + 5000))
    })

    it('is by dates where a sender began to count anew', async () => {
      const s = await buildCaptureSession(server)
      for (const [sequence, seconds] of [
        [0, 0],
        [1, 10],
        [2, 20],
        [0, 60],
        [1, 70],
      ] as const)
        await send(s, sequence, seconds)
      expect(await numbers(s)).toEqual([0, 1, 2, 0, 1])
    })
  })
