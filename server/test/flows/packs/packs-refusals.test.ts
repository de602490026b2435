import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareItem } from '../../../src/domains/recording/evidence/intake/intake.prepare.service.ts'
import { preparePack } from '../../../src/domains/recording/evidence/intake/pack.prepare.service.ts'
import { film, iso, newClientId, picture, published, sha256, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { type PackedItem, packedSound, packedStill, packOf, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { evidenceOf, scopeOf } from '../evidence/evidence.test-support.ts'

type Make = (server: TestServer, known: PackedItem) => Promise<PackedItem> | PackedItem

/** One bad item of each kind, and what is said of it. */
const bad: readonly [why: string, make: Make, error: { readonly code: string; readonly path?: string }][] = [
  [
    'a wrong hash',
    (server) => packedStill(server, { sha256: 'a'.repeat(64) }),
    { code: 'invalid_request', path: 'sha256' },
  ],
  [
    'a lane that was declined',
    (server) => packedSound(server, { sequence: 0, evidenceType: 'audio_chunk' }),
    { code: 'forbidden' },
  ],
  [
    'an instant to come',
    (server) => packedStill(server, { capturedAt: iso(server.clock.now() + 3_600_000) }),
    { code: 'invalid_request', path: 'capturedAt' },
  ],
  [
    'a cut picture',
    async (server) => packedStill(server, { body: (await picture()).subarray(0, 100) }),
    { code: 'invalid_request', path: 'data' },
  ],
  [
    'bytes of another type',
    (server) => packedStill(server, { body: film(500) }),
    { code: 'invalid_request', path: 'contentType' },
  ],
  ['no bytes', (server) => packedStill(server, { body: Buffer.alloc(0) }), { code: 'invalid_request', path: 'data' }],
  [
    'a clientId that other bytes have',
    (server, known) => packedStill(server, { clientId: known.head.clientId }),
    { code: 'conflict', path: 'clientId' },
  ],
  [
    'a clientId that other bytes have in the same pack',
    (server) => packedStill(server, { clientId: 'in-the-same-pack' }),
    { code: 'conflict', path: 'clientId' },
  ],
  [
    'a type of another device',
    async (server) => {
      const { head, body } = await packedStill(server, { body: film(500), contentType: 'video/webm' })
      return { head: { ...head, evidenceType: 'side_view_clip', durationMs: 1000 }, body }
    },
    { code: 'forbidden' },
  ],
  [
    'a type that there is none of',
    (server) => packedStill(server, { evidenceType: 'screenplay' }),
    { code: 'invalid_request', path: 'evidenceType' },
  ],
  [
    'other pixels than it says',
    (server) => packedStill(server, { width: 65 }),
    { code: 'invalid_request', path: 'width' },
  ],
  [
    'a small picture that is none',
    (server) => packedStill(server, { small: Buffer.from('no picture').toString('base64') }),
    { code: 'invalid_request', path: 'small' },
  ],
]

for (const engine of enginesInTurn(import.meta.filename))
  describe(`an item of a pack that is refused (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const { session, list } = evidenceOf(() => server)

    it.each(bad)('for %s keeps none of its 63 neighbours out', async (_why, make, { code, path }) => {
      const s = await session({ declined: ['microphone'] })
      const known = await packedStill(server)
      await sendPack(s, [known])
      const same = await packedStill(server, { clientId: 'in-the-same-pack' })
      const good = await Promise.all(Array.from({ length: 62 }, () => packedStill(server)))
      const sent = [same, ...good.slice(0, 30), await make(server, known), ...good.slice(30)]
      const items = await sendPack(s, sent)
      const refused = items.filter(({ status }) => status !== 'stored')
      expect(refused).toMatchObject([{ clientId: sent[31]!.head.clientId, status: 'refused', error: { code } }])
      if (path !== undefined) expect(refused[0]!.error?.details?.[0]?.path).toBe(path)
      expect(refused[0]!.evidence).toBeUndefined()
      expect((await list(s)).total).toBe(64)
    })

    it('has no clientId where its head cannot be read', async () => {
      const s = await session()
      const bytes = Buffer.from('{"clientId":')
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      const good = await packedStill(server)
      const whole = Buffer.concat([length, bytes, Buffer.alloc(4), packOf([good])])
      const raw = { bytes: new Uint8Array(whole), contentType: 'application/vnd.integrity.pack', meta: {} }
      const { data } = await s.agent.call('agent.packs.upload', { params: { id: s.id }, raw })
      expect(data.items).toMatchObject([
        { clientId: null, status: 'refused', error: { code: 'invalid_request' } },
        { clientId: good.head.clientId, status: 'stored' },
      ])
    })

    it('leaves nothing in the store where all of them are', async () => {
      const s = await session()
      const before = await storedFiles(server)
      const items = await sendPack(s, [await packedStill(server, { sha256: 'a'.repeat(64) })])
      expect(items.map(({ status }) => status)).toEqual(['refused'])
      await server.processAll()
      expect(await storedFiles(server)).toEqual(before)
      expect(await published(server, s, 'evidence.ready')).toBe(0)
    })

    it('leaves nothing in the store where the session is erased meanwhile, alone or in a pack', async () => {
      const s = await session()
      const before = await storedFiles(server)
      const { head, body } = await packedStill(server)
      const said = { evidenceType: 'screenshot', clientId: head.clientId, sha256: sha256(body) } as const
      const item = {
        ...said,
        contentType: 'image/webp',
        sizeBytes: body.length,
        durationMs: null,
        metadata: {},
        capturedAt: server.clock.now(),
      }
      const erased = { seal: () => Promise.reject(new Error('this session was erased meanwhile')) } as never
      const actor = { kind: 'agent', id: 'tok_1' } as never
      const call = { ...server.app, actor, reader: server.app.db.reader, scope: scopeOf(s), sessionKeys: erased }
      const one = { said: item, bytes: body }
      await expect(prepareItem(call, { sessionId: s.id, ...one })).rejects.toThrow('erased meanwhile')
      const items = [{ ...one, beside: {} }]
      await expect(preparePack(call, { sessionId: s.id, items })).rejects.toThrow('erased meanwhile')
      expect(await storedFiles(server)).toEqual(before)
    })

    it('is asked again once the session has ended: only what was captured before is taken', async () => {
      const s = await session()
      const before = await packedStill(server)
      server.clock.advance(60_000)
      await s.api.call('sessions.end', { params: { id: s.id } })
      server.clock.advance(60_000)
      const behind = await packedStill(server)
      const items = await sendPack(s, [before, behind])
      expect(items.map(({ status }) => status)).toEqual(['stored', 'refused'])
    })
  })

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a pack that comes again (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const { session, list } = evidenceOf(() => server)

    it('after a lost answer stores nothing twice and answers the same evidence', async () => {
      const s = await session()
      const sent = [await packedStill(server), packedSound(server, { sequence: 0 })]
      const first = await sendPack(s, sent)
      const files = await storedFiles(server)
      const again = await sendPack(s, sent)
      expect(again).toEqual(first.map((item) => ({ ...item, status: 'known' })))
      await server.processAll()
      expect(await storedFiles(server)).toEqual(files)
      expect((await list(s)).total).toBe(2)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
    })

    it('under an Idempotency-Key gets the very answer of the first time, and leaves no bytes', async () => {
      const s = await session()
      const sent = [await packedStill(server)]
      const key = { 'idempotency-key': newClientId() }
      const first = await sendPack(s, sent, key)
      const files = await storedFiles(server)
      expect(await sendPack(s, sent, key)).toEqual(first)
      expect(await storedFiles(server)).toEqual(files)
    })

    it('at the same time stores each item once', async () => {
      const s = await session()
      const sent = await Promise.all(Array.from({ length: 8 }, () => packedStill(server)))
      const answers = await Promise.all([sendPack(s, sent), sendPack(s, sent.toReversed())])
      const statuses = answers.flat().map(({ status }) => status)
      expect(statuses.filter((status) => status === 'stored')).toHaveLength(8)
      expect(statuses.filter((status) => status === 'known')).toHaveLength(8)
      const ids = answers.map((items) => new Set(items.map(({ evidence }) => evidence!.id)))
      expect(ids[0]).toEqual(ids[1])
      await server.processAll()
      expect((await list(s)).total).toBe(8)
    })

    it('knows items that came singly, and singly those that came in a pack', async () => {
      const s = await session()
      const [one, two] = [await packedStill(server), await packedStill(server)]
      const single = ({ head, body }: PackedItem) => {
        const { evidenceType: _, ...meta } = head
        const said = { ...meta, data: body.toString('base64') } as never
        return s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body: said })
      }
      const { data } = await single(one)
      const items = await sendPack(s, [one, two])
      expect(items.map(({ status }) => status)).toEqual(['known', 'stored'])
      expect(items[0]!.evidence).toEqual(data)
      expect(await single(two)).toMatchObject({ status: 200, data: items[1]!.evidence })
    })

    it('holds an item once that stands in it twice, and the same bytes under another clientId as another', async () => {
      const s = await session()
      const one = await packedStill(server)
      const files = (await storedFiles(server)).length
      const other = { ...one, head: { ...one.head, clientId: newClientId() } }
      const items = await sendPack(s, [one, one, other])
      expect(items.map(({ status }) => status)).toEqual(['stored', 'known', 'stored'])
      expect(items[1]!.evidence).toEqual(items[0]!.evidence)
      expect(items[2]!.evidence!.id).not.toBe(items[0]!.evidence!.id)
      expect((await storedFiles(server)).length).toBe(files + 1)
      const refs = await server.app.db.reader.all('SELECT refs FROM objects WHERE org_id = ? AND sha256 = ?', [
        s.orgId,
        sha256(one.body),
      ])
      expect(refs).toEqual([{ refs: 2 }])
    })
  })
