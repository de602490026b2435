import type { SessionConfigPatch } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CaptureSession, film, iso, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { registration } from '../../test-support/world.ts'
import { evidenceOf } from '../evidence/evidence.test-support.ts'
import { trailOf } from './packs.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`packs over a change of the session's policy (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const { session, list } = evidenceOf(() => server)
    const trail = trailOf(() => server)
    const change = ({ api, id }: CaptureSession, body: SessionConfigPatch) =>
      api.call('sessions.patch', { params: { id }, body })
    const statuses = async (...sent: Parameters<typeof sendPack>) =>
      (await sendPack(...sent)).map(({ status, error }) => error?.code ?? status)
    const clip = (more: object = {}) =>
      packedStill(server, {
        body: film(500),
        evidenceType: 'screen_clip',
        contentType: 'video/webm',
        durationMs: 1000,
        ...more,
      })

    it('take of a lane that was switched off what was captured while it was on, and all of the others', async () => {
      const s = await session()
      await sendPack(s, [await packedStill(server), packedSound(server, { sequence: 0 })])
      const before = packedSound(server, { sequence: 1 })
      server.clock.advance(1000)
      await change(s, { audio: { microphone: false } })
      const at = packedSound(server, { sequence: 2 })
      server.clock.advance(1000)
      const after = packedSound(server, { sequence: 3 })
      const stills = [await packedStill(server), await packedStill(server)] as const
      const pack = [stills[0], after, before, at, stills[1]]
      expect(await statuses(s, pack)).toEqual(['stored', 'forbidden', 'stored', 'forbidden', 'stored'])
      // What came before the change is known, whatever the policy says now; what was refused is refused again.
      expect(await statuses(s, pack)).toEqual(['known', 'forbidden', 'known', 'forbidden', 'known'])
      await change(s, { audio: { microphone: true } })
      expect(await statuses(s, [packedSound(server, { sequence: 4 })])).toEqual(['stored'])
      expect((await list(s)).total).toBe(6)
      expect(await trail.faults(s)).toEqual([])
    })

    it('take of a kind that was asked for later only what the candidate was asked for, too', async () => {
      const s = await session({ config: { capture: { recording: false } } })
      expect(await statuses(s, [await clip(), await packedStill(server)])).toEqual(['forbidden', 'stored'])
      await change(s, { capture: { recording: true } })
      expect(await statuses(s, [await clip(), await packedStill(server)])).toEqual(['forbidden', 'stored'])
      const agreed = await registration(server, { id: s.id, agent: s.token }, { screen: true })
      await s.agent.call('agent.sessions.register', {
        body: { consent: { ...agreed.consent, standing: ['microphone', 'system_audio', 'camera', 'signals'] } },
      })
      expect(await statuses(s, [await clip(), await packedStill(server)])).toEqual(['stored', 'stored'])
      server.clock.advance(1000)
      await change(s, { capture: { recording: false } })
      const early = await clip({ capturedAt: iso(server.clock.now() - 500) })
      expect(await statuses(s, [await clip(), early])).toEqual(['forbidden', 'stored'])
    })

    it('are held to the policy that holds when their rows are made, not to that of their arrival', async () => {
      const s = await session()
      const files = (await storedFiles(server, 'objects')).length
      const { store } = server.app
      const put = store.put.bind(store)
      /** The change comes once the bytes were checked and are written. */
      const during = async <T>(patch: SessionConfigPatch, work: () => Promise<T>): Promise<T> => {
        store.put = async (...args) => {
          store.put = put
          const stored = await put(...args)
          await change(s, patch)
          return stored
        }
        return work()
      }
      const sent = [packedSound(server, { sequence: 0 }), await packedStill(server)]
      const off = await during({ audio: { microphone: false } }, () => statuses(s, sent))
      expect(off).toEqual(['forbidden', 'stored'])
      const none = await during({ capture: { enabled: false } }, async () => statuses(s, [await packedStill(server)]))
      expect(none).toEqual(['forbidden'])
      await server.processAll()
      // Of the pack of which nothing was taken nothing is left.
      expect((await storedFiles(server, 'objects')).length).toBe(files + 1)
      expect((await list(s)).total).toBe(1)
      expect(await trail.faults(s)).toEqual([])
    })
  })
