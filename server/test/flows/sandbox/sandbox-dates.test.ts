import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { decodedSound, soundRate } from '../../test-support/decoded-sound.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { ffmpeg } from '../../test-support/film-fixtures.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { fullConfig } from '../../test-support/world.ts'
import { simulationsOf } from './sandbox.test-support.ts'

// Half an hour has some hundred and fifty steps, which a busy machine makes long.
for (const engine of enginesInTurn(import.meta.filename))
  describe(`an interview dated like a real one (${engine})`, { timeout: 240_000 }, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())

    const { schedule, play, progress, playWhole, reportOf, coverageOf, sessionOf } = simulationsOf(() => server)
    const playFast = (scenario: Parameters<typeof playWhole>[0], config = fullConfig) =>
      playWhole(scenario, config, 600, 'real_time')
    const seconds = (from: string | null | undefined, to: string | null | undefined) =>
      (Date.parse(String(to)) - Date.parse(String(from))) / 1000
    const pagesOf = async <Item>(read: (offset: number) => Promise<{ items: Item[]; total: number }>) => {
      const items: Item[] = []
      for (let total = 1; items.length < total; ) {
        const page = await read(items.length)
        total = page.total
        items.push(...page.items)
      }
      return items
    }
    const evidenceOf = (id: string) =>
      pagesOf(
        async (offset) =>
          (await api.call('sessions.evidence.list', { params: { id }, query: { limit: 100, offset } })).data,
      )
    const readingsOf = (id: string) =>
      pagesOf(
        async (offset) =>
          (await api.call('sessions.events.list', { params: { id }, query: { category: 'all', limit: 100, offset } }))
            .data,
      )
    const transcriptOf = (id: string) =>
      pagesOf(
        async (offset) =>
          (await api.call('sessions.transcript', { params: { id }, query: { limit: 100, offset } })).data,
      )

    it('is what a simulation is without another word', async () => {
      const id = await schedule()
      const { data: run } = await api.call('sandbox.simulate', { params: { id }, body: { scenario: 'late_evidence' } })
      expect(run.dated).toBe('real_time')
      const done = await play(id)
      for (const [index, { datedAt, atSeconds }] of done.steps.entries()) {
        expect(seconds(done.steps[0]?.datedAt, datedAt)).toBeCloseTo(atSeconds * 60, 0)
        expect(run.steps[index]?.datedAt ?? datedAt).toBe(datedAt)
      }
      // It ended just now: the last step is dated before the simulation began, and none is in the future.
      const behind = seconds(done.steps.at(-1)?.datedAt, run.startedAt)
      expect(behind).toBeGreaterThanOrEqual(0)
      expect(behind).toBeLessThan(1)
    })

    it('lasts half an hour that is played in three seconds, without a gap where nothing goes wrong', async () => {
      const { id, run } = await playFast('nothing_goes_wrong')
      expect(run).toMatchObject({ status: 'done', failure: null })
      expect(seconds(run.startedAt, run.finishedAt)).toBe(3)
      const session = await sessionOf(id)
      expect(seconds(session.startedAt, session.endedAt)).toBe(1800)
      expect(seconds(session.endedAt, run.startedAt)).toBeLessThan(1)
      expect(seconds(session.createdAt, session.startedAt)).toBe(0)
      const report = await reportOf(id)
      expect(report.durationMs).toBe(1_800_000)
      for (const lane of ['screen', 'camera', 'microphone', 'system_audio', 'transcript'] as const)
        expect(await coverageOf(id, lane)).toMatchObject({ expected: 1800, observed: 1800, gaps: [] })
      expect(Object.keys(report.signalsByKind)).toEqual(['foreground.changed'])
      expect(new Set(report.atStart.map(({ kind }) => kind))).toEqual(
        new Set(['device.added', 'display.added', 'network.changed']),
      )
      const screens = (await evidenceOf(id)).filter(({ evidenceType }) => evidenceType === 'screenshot')
      const instants = screens.map(({ capturedAt }) => seconds(session.startedAt, capturedAt)).sort((a, b) => a - b)
      expect(instants).toEqual(Array.from({ length: 59 }, (_, n) => 30 * (n + 1)))
      expect((await verifyAudit(server.app, { orgId: server.orgs[0].orgId })).ok).toBe(true)
    })

    it('is listed and counted when it was made by its own dates', async () => {
      const [early, late] = [await schedule(), await schedule()]
      await api.call('sandbox.simulate', { params: { id: late }, body: { scenario: 'nothing_goes_wrong' } })
      const { createdAt } = await sessionOf(late)
      expect(createdAt < (await sessionOf(early)).createdAt).toBe(true)
      interface Query {
        limit?: number
        offset?: number
        cursor?: string
        from?: string
        to?: string
        state?: 'scheduled'
      }
      const list = async (query: Query) => (await api.call('sessions.list', { query })).data
      const idsBy = async (limit: number) => {
        const ids: string[] = []
        for (let cursor: string | undefined; ; ) {
          const page = await list({ limit, ...(cursor === undefined ? {} : { cursor }) })
          ids.push(...page.items.map(({ id }) => id))
          if (!page.nextCursor) return ids
          cursor = page.nextCursor
        }
      }
      const { items, total } = await list({ limit: 100 })
      expect(items.map((one) => one.createdAt)).toEqual(
        items
          .map((one) => one.createdAt)
          .sort()
          .reverse(),
      )
      expect(items.map(({ id }) => id)).toContain(late)
      expect(await idsBy(1)).toEqual(items.map(({ id }) => id))
      expect((await list({ limit: 1, offset: total - 1 })).items).toEqual(items.slice(-1))
      // Whole minutes about it are kept counts, without any session looked at.
      const minute = Math.floor(Date.parse(createdAt) / 60_000) * 60_000
      const [from, to] = [minute, minute + 60_000].map((at) => new Date(at).toISOString()) as [string, string]
      for (const state of [{}, { state: 'scheduled' as const }]) {
        const about = await list({ limit: 100, from, to, ...state })
        expect(about.items.map(({ id }) => id)).toContain(late)
        expect(about.total).toBe(about.items.length)
        const all = await list({ limit: 100, ...state })
        expect(all.total).toBe(all.items.length)
      }
    })

    it.skipIf(!ffmpeg)(
      'leaves sound without holes, in which who speaks is heard when the transcript says so',
      async () => {
        const { id } = await playFast('phone_interrupted')
        const session = await sessionOf(id)
        const items = await evidenceOf(id)
        const turns = await transcriptOf(id)
        expect(turns.length).toBeGreaterThan(6)
        for (const [type, speaker] of [
          ['audio_chunk', 'candidate'],
          ['system_audio_chunk', 'interviewer'],
        ] as const) {
          const chunks = items
            .filter(({ evidenceType }) => evidenceType === type)
            .map(({ id: item, capturedAt, durationMs }) => ({
              item,
              fromMs: seconds(session.startedAt, capturedAt) * 1000,
              durationMs: Number(durationMs),
            }))
            .sort((a, b) => a.fromMs - b.fromMs)
          for (const [n, { fromMs }] of chunks.entries())
            expect(fromMs).toBe(n === 0 ? 0 : chunks[n - 1]!.fromMs + chunks[n - 1]!.durationMs)
          const whole: number[] = []
          for (const { item } of chunks) {
            const { data } = await api.call('evidence.downloadUrl', { params: { id: item }, body: {} })
            const { pathname, search } = new URL(data.url)
            const bytes = Buffer.from(await (await fetch(new URL(pathname + search, server.url))).arrayBuffer())
            for (const sample of await decodedSound(bytes)) whole.push(Math.abs(sample))
          }
          const perMs = soundRate / 1000
          const loudest = (fromMs: number, toMs: number) => {
            let most = 0
            for (let i = fromMs * perMs; i < Math.min(toMs * perMs, whole.length); i++)
              most = Math.max(most, whole[i] ?? 0)
            return most
          }
          for (const turn of turns)
            if (turn.speaker === speaker) expect(loudest(turn.startMs, turn.endMs)).toBeGreaterThan(0.3)
            // The voice before it fades in the decoder.
            else expect(loudest(turn.startMs + 200, turn.endMs), turn.text).toBeLessThan(0.1)
        }
      },
    )

    it('shows everything that can go wrong, each with its reason and its length by the dated clock', async () => {
      const { id, run } = await playFast('everything_goes_wrong')
      expect(run).toMatchObject({ status: 'done', failure: null })
      const session = await sessionOf(id)
      expect(seconds(session.startedAt, session.endedAt)).toBe(1800)
      expect(session.config.sideView.enabled).toBe(true)
      const gapsOf = async (lane: Parameters<typeof coverageOf>[1]) =>
        ((await coverageOf(id, lane))?.gaps ?? []).map(({ fromAt, reason, seconds: lasted }) => [
          seconds(session.startedAt, fromAt),
          lasted,
          reason,
        ])
      const offline = [1110, 85, 'offline']
      const sleep = [1562, 56, 'asleep_or_locked']
      expect(await gapsOf('camera')).toEqual([[752, 56, 'unplugged'], offline, sleep])
      expect(await gapsOf('microphone')).toEqual([offline, [1352, 65, 'permission_lapsed'], sleep])
      expect(await gapsOf('side_view')).toEqual([[662, 62, 'in_background']])
      expect(await coverageOf(id, 'side_view')).toMatchObject({ expected: 1780, observed: 1780 - 62 })
      expect(await coverageOf(id, 'camera')).toMatchObject({ expected: 1800, observed: 1800 - 56 - 85 - 56 })
      const reasons = new Set((await gapsOf('screen')).map(([, , reason]) => reason))
      expect(reasons).toEqual(new Set(['asleep_or_locked', 'offline', 'driver_failed']))
      // The lane and its only display were away together, which the report says once.
      expect((await coverageOf(id, 'screen'))?.gaps.filter(({ displayId }) => displayId)).toEqual([])
      const items = await evidenceOf(id)
      const during = (lane: string, from: number, to: number) =>
        items.filter(({ evidenceType, capturedAt }) => {
          const at = seconds(session.startedAt, capturedAt)
          return evidenceType === lane && at > from && at < to
        })
      expect(during('camera_frame', 752, 808)).toEqual([])
      expect(during('screenshot', 752, 808)).not.toEqual([])
      const late = items.filter(({ createdAt }) => createdAt > String(session.endedAt))
      expect(new Set(late.map(({ evidenceType }) => evidenceType)).has('screenshot')).toBe(true)
      for (const { capturedAt, createdAt } of items) expect(capturedAt <= createdAt).toBe(true)
      const kinds = new Set((await readingsOf(id)).map(({ kind }) => kind))
      for (const kind of ['process.matched', 'clock.jumped', 'vm.hint', 'permission.changed', 'quality.changed'])
        expect(kinds.has(kind), kind).toBe(true)
      const turns = await transcriptOf(id)
      for (const { startMs, endMs } of turns) expect(endMs > 1_110_000 && startMs < 1_195_000).toBe(false)
      expect(await progress(id)).toEqual(run)
    })
  })
