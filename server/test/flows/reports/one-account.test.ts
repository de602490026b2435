import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stretchText } from '../../../src/domains/review/compositions/plan.account.model.ts'
import { canReadPdf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'
import { type CaptureSession, iso, newClientId, sha256 } from '../../test-support/capture-session.ts'
import { specOf } from '../../test-support/examples.ts'
import { createScriptedFilms, type ScriptedFilms } from '../../test-support/films.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { send } from '../../test-support/send.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent } from '../../test-support/world.ts'
import { unzip } from '../../test-support/zips.ts'
import { bundleOf } from '../bundles/bundles.test-support.ts'
import { submit, verb } from '../candidate-requests/candidate-requests.test-support.ts'
import { compositionsOf } from '../compositions/compositions.test-support.ts'
import { uploadsOf } from '../uploads/uploads.test-support.ts'

const input = (name: string): Promise<Buffer> => readFile(new URL(`../../media-inputs/${name}`, import.meta.url))

interface Stretch {
  readonly fromAt: string
  readonly toAt: string
  readonly state: 'agreed_break' | 'declined' | 'gap' | 'not_wanted' | 'observed' | 'paused'
  readonly reason: string | null
  readonly held: boolean
}
interface Lane {
  readonly lane: string
  readonly account: readonly Stretch[]
  readonly expectedMs: number
  readonly observedMs: number
  readonly heldMs: number
  readonly gaps: readonly { readonly fromAt: string; readonly toAt: string; readonly reason: string }[]
  readonly sentence: string
}
/** Of these nobody knows more than that nothing was reported. */
const inferred = ['not_reported', 'starting', 'stopping']
const figures = (lanes: readonly Lane[]) =>
  lanes.map(({ lane, account, expectedMs, observedMs, heldMs, gaps, sentence }) => ({
    ...{ lane, account, expectedMs, observedMs, heldMs, sentence },
    // What is signed has displays by number.
    gaps: gaps.map(({ fromAt, toAt, reason }) => ({ fromAt, toAt, reason })),
  }))

describe('an interview of recordings as senders make them', () => {
  let server: TestServer
  let films: ScriptedFilms
  let s: CaptureSession
  let start: number
  let report: { readonly coverage: readonly Lane[] }
  const params = () => ({ id: s.id })
  const asOwner = () => portalCookie(server, 'owner')
  const at = (seconds: number) => iso(start + seconds * 1000)
  const uploads = uploadsOf(() => server)
  const compositions = compositionsOf(() => server)
  const lane = (name: string): Lane => report.coverage.find((one) => one.lane === name)!

  const clip = async (
    name: string,
    contentType: string,
    said: { capturedAt: string; durationMs?: number | undefined; metadata: object },
  ) => {
    const item = uploads.buildItem({ bytes: await input(name), contentType })
    const { data } = await uploads.beginRaw(s, item, { durationMs: undefined, ...said })
    if (!('uploadId' in data)) throw new Error('the item is here already')
    await uploads.sendPart(s, data.uploadId, 0, item.bytes)
    return (await uploads.complete(s, data.uploadId)).data
  }
  const still = async (seconds: number, kind: 'agent.cameraFrames.upload' | 'agent.screenshots.upload') => {
    const bytes = await input('green.png')
    const meta = { clientId: newClientId(), capturedAt: at(seconds), sha256: sha256(bytes) }
    const raw = { bytes, contentType: 'image/png', meta: { ...meta, displayId: '1' } }
    await s.agent.call(kind, { params: params(), raw: raw as never })
  }

  beforeAll(async () => {
    films = createScriptedFilms()
    server = await startServer({ overrides: { films } })
    s = await uploads.session({ config: { capture: { recording: true }, camera: { enabled: true } } })
    start = server.clock.now()
    server.clock.advance(120_000)
    const on = (displayId: string) => ({ metadata: { displayId } })
    await clip('red60.webm', 'video/webm', { capturedAt: at(1), ...on('1') })
    await clip('blue10.webm', 'video/webm', { capturedAt: at(40), durationMs: 10_000, ...on('2') })
    await clip('q.mp4', 'video/mp4', { capturedAt: at(-2), durationMs: 4000, ...on('1') })
    expect(await clip('q-nomoov.mp4', 'video/mp4', { capturedAt: at(70), durationMs: 4000, ...on('1') })).toMatchObject(
      { decodable: false, source: 'screen:1', sentBy: 'agent' },
    )
    await clip('q-cut.webm', 'video/webm', { capturedAt: at(78), durationMs: 4000, ...on('1') })
    for (const seconds of [62, 64, 71, 79]) await still(seconds, 'agent.screenshots.upload')
    for (const seconds of [5, 30]) await still(seconds, 'agent.cameraFrames.upload')
    const sound = await input('s-mulaw.wav')
    const meta = { clientId: newClientId(), sequence: 0, codec: 'pcm_mulaw', sha256: sha256(sound), startedAt: at(1) }
    const raw = { bytes: sound, contentType: 'audio/wav', meta: { ...meta, durationMs: 4000 } }
    await s.agent.call('agent.audioChunks.upload', { params: params(), raw: raw as never })
    const told = (kind: string, data: Record<string, unknown>) => ({
      ...anEvent(server, kind),
      observedAt: at(110),
      data,
    })
    const seen = { fromAt: at(0), toAt: at(110), expectedSeconds: 110, observedSeconds: 110 }
    const events = [
      told('lane.coverage', { lane: 'microphone', ...seen }),
      told('lane.gap', { lane: 'microphone', fromAt: at(10), toAt: at(20.123), reason: 'unplugged' }),
      told('lane.gap', { lane: 'microphone', fromAt: at(15), toAt: at(30), reason: 'offline' }),
      told('lane.gap', { lane: 'camera', fromAt: at(50), toAt: at(60), reason: 'paused' }),
    ]
    await s.agent.call('agent.events.ingest', { params: params(), body: { events } })
    await s.api.call('sessions.end', { params: params() })
    report = (await s.api.call('sessions.report', { params: params() })).data as never
  })
  afterAll(() => server.stop())

  it('has an account that adds up, in which a length that nobody told is the recording’s own', () => {
    for (const { account, expectedMs, observedMs, lane: name } of report.coverage) {
      const ms = (state: string) =>
        account
          .filter((one) => one.state === state)
          .reduce((sum, { fromAt, toAt }) => sum + Date.parse(toAt) - Date.parse(fromAt), 0)
      expect([ms('observed'), ms('observed') + ms('gap')], name).toEqual([observedMs, expectedMs])
    }
    // 1.0 to 60.9 s of the untold recording, of the one before the start what is after it, and the stills behind.
    expect(lane('screen').account.slice(0, 1)).toMatchObject([{ fromAt: at(0), state: 'observed', held: true }])
    expect(lane('screen').account.filter(({ state }) => state === 'gap')).toMatchObject([
      { fromAt: at(60.9), toAt: at(62), reason: 'not_reported' },
      { fromAt: at(109), toAt: at(120), reason: 'stopping' },
    ])
    const microphone = lane('microphone')
    expect(microphone).toMatchObject({ expectedMs: 120_000, observedMs: 90_000, heldMs: 4000 })
    expect(microphone.account.map(({ reason, state }) => reason ?? state)).toEqual([
      ...['observed', 'observed', 'observed'],
      ...['unplugged', 'offline', 'observed', 'stopping'],
    ])
  })

  it('is told the same in the portal, in every file that leaves the service, and in the reel index', async () => {
    const headers = await asOwner()
    const said = figures(report.coverage)
    const portal = server.client()
    const own = await portal.call('portal.report', { params: params(), headers })
    expect(figures(own.data.coverage as never)).toEqual(said)
    const found = await portal.call('portal.coverage', { params: params(), headers, query: {} })
    expect(figures(found.data.lanes as never)).toEqual(said)
    for (const [id, query] of [
      ['portal.sessions.export', {}],
      ['portal.report.export', { format: 'json' }],
    ] as const) {
      const answer = await send(server.url, specOf(id), { headers, params: params(), query })
      const file = JSON.parse(answer.text)
      expect(figures(file.coverage ?? file.lanes), id).toEqual(said)
    }
    const members = await bundleOf(server, s)
    expect(figures(JSON.parse(members.get('reports/report-unsigned.json')!.toString()).lanes)).toEqual(said)
    const { data: index } = await portal.call('portal.reelIndex.get', { params: params(), headers })
    for (const name of ['microphone', 'camera'])
      expect(index.sources.find(({ source }) => source === name)?.account, name).toEqual(
        lane(name).account.map(({ fromAt, toAt, state, reason, held }) => [
          ...[Date.parse(fromAt) - start, Date.parse(toAt) - start],
          ...[state, reason, held],
        ]),
      )
  })

  it('has on the timeline each gap of the account, and on paper the sentence of each lane', async () => {
    const headers = await asOwner()
    const { data } = await server
      .client()
      .call('portal.timeline', { params: params(), headers, query: { kind: 'gap', limit: 100 } })
    for (const name of ['microphone', 'camera'])
      for (const gap of lane(name).account.filter(({ state }) => state === 'gap'))
        expect(JSON.stringify(data.items), `${name} ${gap.reason}`).toContain(gap.fromAt)
    if (!canReadPdf) return
    const pdf = await fetch(`${server.url}/v1/sessions/${s.id}/report/export?format=pdf`, { headers })
    const text = readPdf(Buffer.from(await pdf.arrayBuffer())).text.replace(/\s+/g, ' ')
    for (const name of ['screen', 'microphone', 'camera']) expect(text).toContain(lane(name).sentence)
  })

  it('is told the same to the candidate', async () => {
    const scope = { orgId: s.orgId, environment: s.environment }
    const key = server.orgs[0].sandboxKey
    const interview = { scope, sessionId: s.id, agent: s.token, key }
    const { id, token } = await submit(server, interview, 'access', { text: 'Please.' })
    await verb(server, 'approve', id, { text: 'Here it is.' })
    const { data } = await server
      .client(token)
      .call('candidateRequests.contents', { body: { requestId: id, after: 0 } })
    const lanes = new Map(data.overview?.lanes.map(({ lane: name, ...seconds }) => [name as string, seconds]))
    for (const name of ['screen', 'microphone', 'camera']) {
      const { expectedMs, observedMs, heldMs } = lane(name)
      const [expectedSeconds, observedSeconds, heldSeconds] = [expectedMs, observedMs, heldMs].map(
        (ms) => Math.round(ms / 100) / 10,
      )
      expect(lanes.get(name), name).toMatchObject({ expectedSeconds, observedSeconds, heldSeconds })
    }
    const archive = await fetch(`${server.url}/v1/candidate-requests/archive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ requestId: id, locale: 'en' }),
    })
    const page = unzip(Buffer.from(await archive.arrayBuffer()))
      .get('index.html')!
      .toString()
    const minutes = (ms: number) => (ms / 60_000).toFixed(1)
    const { expectedMs, observedMs } = lane('microphone')
    expect(page).toContain(`reported ${minutes(observedMs)} of ${minutes(expectedMs)} minutes as recorded`)
  })

  it('is told the same by the film, which shows nothing where the account has a gap that was told', async () => {
    await compositions.ready(s)
    const { screen, insets } = films.renders.at(-1)!.plan
    for (const [name, place] of [
      ['screen', screen],
      ['camera', insets[0]],
    ] as const) {
      if (!place) throw new Error(`no place of ${name}`)
      for (const { fromAt, toAt, state, reason } of lane(name).account)
        for (let ms = Date.parse(fromAt) - start; ms < Date.parse(toAt) - start; ms += 500) {
          const text = place.texts.findLast(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)?.text ?? place.emptyText
          expect(text, `${name} at ${ms}`).toBe(stretchText({ state, reason: reason as never }))
          const shown = place.items.filter(({ atMs, untilMs }) => atMs <= ms && ms < untilMs)
          if (state === 'paused' || (state === 'gap' && !inferred.includes(reason ?? '')))
            expect(shown, `${ms}`).toEqual([])
        }
    }
    // Of what was captured before the start, the part behind it.
    const before = screen.items.filter(({ beginsMs }) => beginsMs < 0)
    expect(before.map(({ atMs }) => atMs)).toContain(0)
    expect(new Set(before.map(({ beginsMs }) => beginsMs))).toEqual(new Set([-2000]))
  })
})
