import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import { sha256 } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scopeOf } from '../evidence/evidence.test-support.ts'
import { reelsOf } from './reels.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`reels (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const t = reelsOf(() => server)

    it('hold what a source recorded, byte for byte, and say where the next one begins', async () => {
      const s = await t.session()
      const { sent, ids } = await t.sendStills(s, { count: 15 })
      const first = await t.ofKey(s, 'screen:d1', { from: 0 })
      expect(first.status).toBe(200)
      expect(first.headers.get('content-type')).toBe('application/vnd.integrity.reel')
      expect(first.frames.map(({ head }) => head)).toEqual(
        sent.slice(0, 12).map(({ head, body }, n) => ({
          id: ids[n],
          atMs: n * 5000,
          durationMs: null,
          contentType: head['contentType'],
          sha256: sha256(body),
        })),
      )
      for (const [n, { body }] of first.frames.entries()) expect(body.equals(sent[n]!.body)).toBe(true)
      expect(first.nextMs).toBe(60_000)
      const second = await t.ofKey(s, 'screen:d1', { from: first.nextMs! })
      expect(second.frames.map(({ head }) => head.id)).toEqual(ids.slice(12))
      expect(second.nextMs).toBeNull()
      const some = await t.ofKey(s, 'screen:d1', { from: 5000, to: 15_000 })
      expect([some.frames.map(({ head }) => head.id), some.nextMs]).toEqual([ids.slice(1, 3), null])
    })

    it('begin at the first item unless told, jump over what is empty, and are empty where there is nothing', async () => {
      const s = await t.session()
      server.clock.advance(300_000)
      const { ids } = await t.sendStills(s, { count: 2, everyMs: 200_000 })
      const found = await t.ofKey(s, 'screen:d1')
      expect([found.frames.map(({ head }) => head.id), found.nextMs]).toEqual([ids.slice(0, 1), 500_000])
      const empty = await t.ofKey(s, 'screen:d1', { from: 0 })
      expect([empty.frames, empty.nextMs]).toEqual([[], 300_000])
      for (const source of ['microphone', 'screen:d2', 'room_camera']) {
        const none = await t.ofKey(s, source)
        expect([none.status, none.frames, none.nextMs]).toEqual([200, [], null])
      }
    })

    it('have small pictures and levels that were sent beside items, ten minutes of them, and say where none was', async () => {
      const s = await t.session()
      const { sent, ids } = await t.sendStills(s, { count: 30, everyMs: 25_000 })
      await sendPack(s, [await packedStill(server, { displayId: 'd2' })])
      const small = await t.ofKey(s, 'screen:d1', { from: 0, size: 'small' })
      expect(small.frames.map(({ head }) => head.id)).toEqual(ids.slice(0, 24))
      for (const [n, { body, head }] of small.frames.entries()) {
        expect(body.toString('base64')).toBe(sent[n]!.head['small'])
        expect(head.absent).toBeUndefined()
      }
      expect(small.nextMs).toBe(600_000)
      const none = await t.ofKey(s, 'screen:d2', { size: 'small' })
      expect(none.frames.map(({ head, body }) => [head.absent, body.length])).toEqual([['being_made', 0]])
      const sound = await t.sendSound(s, 3)
      const levels = await t.ofKey(s, 'microphone', { size: 'levels' })
      expect(levels.frames.map(({ body }) => body.toString('base64'))).toEqual(
        sound.sent.map(({ head }) => head['levels']),
      )
    })

    it('say of an erased item, and of one that is not what was taken in, why it is not there', async () => {
      // What is altered here would spoil the trail that is verified below.
      const s = await t.session({ org: 1 })
      const { ids } = await t.sendStills(s, { count: 3 })
      const scope = scopeOf(s)
      await server.app.db.transact((tx) =>
        eraseSomeEvidence(
          { ...server.app, tx, reader: tx, scope },
          { sessionId: s.id, limit: 1, now: server.clock.now() },
        ),
      )
      await server.app.db.transact((tx) =>
        tx.run('UPDATE evidence SET captured_at = captured_at + 1 WHERE org_id = ? AND evidence_id = ?', [
          s.orgId,
          ids[2]!,
        ]),
      )
      for (const size of ['full', 'small']) {
        const { frames, nextMs } = await t.ofKey(s, 'screen:d1', { from: 0, size })
        expect(frames.map(({ head }) => [head.id, head.absent])).toEqual([
          [ids[0], 'erased'],
          [ids[1], undefined],
          [ids[2], 'withheld'],
        ])
        expect(frames.map(({ body }) => body.length > 0)).toEqual([false, true, false])
        expect(nextMs).toBeNull()
      }
    })

    it('are for the organisation alone, of sources as evidence names them', async () => {
      const s = await t.session()
      await t.sendStills(s, { count: 1 })
      const foreign = `${server.url}/v1/api/sessions/${s.id}/reels/microphone`
      const other = { authorization: `Bearer ${server.orgs[1].sandboxKey}` }
      expect((await fetch(foreign, { headers: other })).status).toBe(404)
      expect((await t.ofKey(s, 'no_such')).status).toBe(404)
      expect((await t.ofKey(s, 'screen:d1', { from: 2, to: 1 })).status).toBe(400)
      expect((await t.ofKey(s, 'screen:d1', { size: 'huge' })).status).toBe(400)
    })

    it('leave one audit row each, which a look at the headers does not, and read as one line while somebody looks on', async () => {
      const s = await t.session()
      await t.sendStills(s, { count: 36 })
      await t.end(s)
      const owner = await t.owner()
      expect((await t.ofKey(s, 'screen:d1', {}, 'HEAD')).status).toBe(200)
      for (let next: number | null | undefined = 0; typeof next === 'number'; )
        next = (await t.ofMember(s, 'screen:d1', owner, { from: next })).nextMs
      await t.ofMember(s, 'screen:d1', owner, { size: 'small', from: 0 })
      await t.ofKey(s, 'screen:d1', { from: 0, to: 5000 })
      const { items, total } = await t.accessLog(s)
      expect(total).toBe(5)
      expect(items.map(({ what, source, fromMs, toMs, objects }) => [what, source, fromMs, toMs, objects])).toEqual([
        ['evidence.played', 'screen:d1', 0, 5000, 1],
        ['evidence.played', 'screen:d1', 0, 600_000, 36],
        ['evidence.played', 'screen:d1', 0, 180_000, 36],
      ])
      expect(items.map(({ who }) => who.kind)).toEqual(['api_key', 'user', 'user'])
      // A checkpoint is due by now.
      await server.processAll()
      expect(await verifyAudit(server.app, { orgId: s.orgId })).toMatchObject({ ok: true })
    })

    it('of a session that goes on are watching it live, once for a person and minute', async () => {
      const s = await t.session()
      await t.sendStills(s, { count: 2 })
      const owner = await t.owner()
      for (let n = 0; n < 4; n++) expect((await t.ofMember(s, 'screen:d1', owner, { from: 0 })).frames).toHaveLength(2)
      expect((await t.accessLog(s)).items.map(({ what }) => what)).toEqual(['session.watched'])
    })
  })
