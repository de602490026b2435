import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import { buildCaptureSession, type CaptureSession } from '../../test-support/capture-session.ts'
import { scopeOf } from '../evidence/evidence.test-support.ts'
import type { Seat } from '../people/people.test-support.ts'
import { describeReviews } from '../reviews/reviews.test-support.ts'
import { segment } from '../transcripts/transcripts.test-support.ts'
import { reelsOf } from './reels.test-support.ts'

const transcribed = { capture: { recording: true }, audio: { transcript: true } } as const

describeReviews('the reel index', (t) => {
  const reels = reelsOf(() => t.server)
  const session = () => buildCaptureSession(t.server, { config: transcribed })
  const index = async (s: CaptureSession, by: Seat) =>
    (await t.people.portal().call('portal.reelIndex.get', { params: { id: s.id }, headers: by.headers })).data
  const asked = (s: CaptureSession, headers: Readonly<Record<string, string>>) =>
    fetch(`${t.server.url}/v1/api/sessions/${s.id}/reel-index`, { headers: { ...reels.keyHeaders(s), ...headers } })
  const say = (s: CaptureSession, ...segments: ReturnType<typeof segment>[]) =>
    s.agent.call('agent.transcript.upsert', { params: { id: s.id }, body: { segments } })

  it('names what each source has, in columns, in the order in which it is played', async () => {
    const owner = await t.seat('owner')
    const s = await session()
    const stills = await reels.sendStills(s, { count: 3 })
    const sound = await reels.sendSound(s, 2)
    await say(s, segment(2), segment(1))
    const found = await index(s, owner)
    expect(found).toMatchObject({ sessionId: s.id, endedAt: null, complete: true })
    const items = new Map(found.sources.map((one) => [one.source, one]))
    expect(items.get('screen:d1')).toMatchObject({
      lane: 'screen',
      label: 'Display d1',
      items: {
        id: stills.ids,
        atMs: [0, 5000, 10_000],
        durationMs: [null, null, null],
        sizeBytes: stills.sent.map(({ body }) => body.length),
        contentType: ['image/webp', 'image/webp', 'image/webp'],
        levels: null,
      },
    })
    expect(items.get('microphone')?.items).toMatchObject({
      id: sound.ids,
      atMs: [10_000, 20_000],
      durationMs: [10_000, 10_000],
      levels: [true, true],
    })
    expect(items.has('screen')).toBe(false)
    expect(found.speech).toEqual({
      atMs: [1000, 2000],
      untilMs: [2000, 3000],
      speaker: ['candidate', 'candidate'],
      speakerSaidBy: 'agent',
      text: ['words 1', 'words 2'],
    })
  })

  it('accounts for every source without overlap or hole, as coverage does', async () => {
    const owner = await t.seat('owner')
    const s = await session()
    await reels.sendStills(s, { count: 3 })
    await reels.end(s)
    const { sources } = await index(s, owner)
    const { data: coverage } = await t.people
      .portal()
      .call('portal.coverage', { params: { id: s.id }, headers: owner.headers, query: {} })
    const start = await reels.startOf(s)
    const lane = coverage.lanes.find((one) => one.lane === 'microphone')!
    expect(sources.find(({ source }) => source === 'microphone')?.account).toEqual(
      lane.account.map(({ fromAt, toAt, state, reason, held }) => [
        ...[Date.parse(fromAt) - start, Date.parse(toAt) - start],
        ...[state, reason, held],
      ]),
    )
    for (const { account } of sources)
      for (const [n, [, to]] of account.entries()) if (account[n + 1]) expect(account[n + 1]![0]).toBe(to)
  })

  it('is the same state under one tag, which may be compressed, and another one once something came', async () => {
    const s = await session()
    await reels.sendStills(s, { count: 2 })
    await reels.end(s)
    const whole = await asked(s, { 'accept-encoding': 'gzip' })
    expect(whole.headers.get('content-encoding')).toBe('gzip')
    const tag = whole.headers.get('etag')!
    expect(tag).toMatch(/^W\/"/)
    expect((await asked(s, { 'if-none-match': tag })).status).toBe(304)
    const owner = await t.seat('owner')
    await t.addNote(owner, s.id, { text: 'Looked at twice.', anchor: { atMs: 1000 } })
    const later = await asked(s, { 'if-none-match': tag })
    expect(later.status).toBe(200)
    const { data } = (await later.json()) as { data: { notes: unknown[] } }
    expect(data.notes).toMatchObject([{ text: 'Looked at twice.', anchor: { atMs: 1000 }, author: { role: 'owner' } }])
    expect(JSON.stringify(data.notes)).not.toContain('name')
    expect((await index(s, owner)).notes[0]?.author.name).toBeTypeOf('string')
  })

  it('has neither items nor words for who may not view evidence, who gets no reel', async () => {
    const s = await session()
    await reels.sendStills(s, { count: 3 })
    await say(s, segment(1))
    const holder = await t.holder(['session.view', 'evidence.list'])
    const found = await index(s, holder)
    expect(found.sources.length).toBeGreaterThan(0)
    for (const source of found.sources) expect(Object.keys(source)).toEqual(['source', 'lane', 'label', 'account'])
    expect('speech' in found).toBe(false)
    const reel = await reels.ofMember(s, 'screen:d1', holder.headers)
    expect(reel.status).toBe(403)
  })

  it('forgets what was erased', async () => {
    const owner = await t.seat('owner')
    const s = await session()
    const { ids } = await reels.sendStills(s, { count: 3 })
    await t.server.app.db.transact((tx) =>
      eraseSomeEvidence(
        { ...t.server.app, tx, reader: tx, scope: scopeOf(s) },
        { sessionId: s.id, limit: 1, now: t.server.clock.now() },
      ),
    )
    const { sources } = await index(s, owner)
    expect(sources.find(({ source }) => source === 'screen:d1')?.items?.id).toEqual(ids.slice(1))
  })

  it('of 45 minutes with four sources is at most 40 kB', async () => {
    const s = await session()
    for (let minute = 0; minute < 45; minute += 5) {
      await reels.sendStills(s, { count: 60, everyMs: 5000 })
      await say(
        s,
        ...Array.from({ length: 30 }, (_, n) =>
          segment(minute * 60 + n * 5, { text: `What ${n} said of ${minute * n} in full.` }),
        ),
      )
    }
    const found = await index(s, await t.seat('owner'))
    expect(found.sources.find(({ source }) => source === 'screen:d1')?.items?.id).toHaveLength(540)
    expect(gzipSync(JSON.stringify(found)).length).toBeLessThan(40_000)
  })
})
