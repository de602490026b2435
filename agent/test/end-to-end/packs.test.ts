import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { CapturedItem } from '../../src/core/capture/types.ts'
import { until } from '../test-support/until.ts'
import { DesktopOnServer } from './desktop-on-server.ts'
import { type RealServer, startRealServer } from './real-server.ts'
import { picture, wave } from './synthetic-capture.ts'

let server: RealServer
let desktop: DesktopOnServer

beforeAll(async () => {
  server = await startRealServer()
})
beforeEach(async () => {
  desktop = await DesktopOnServer.make(server)
})
afterEach(() => desktop.remove())
afterAll(() => server.remove())

const config = { capture: { recording: true }, camera: { clips: true } }
const MiB = 1024 ** 2
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const film = (size: number): Buffer => {
  const bytes = randomBytes(size)
  bytes.write('ftyp', 4, 'latin1')
  return bytes
}

const still = async (): Promise<Partial<CapturedItem>> => ({
  kind: 'screenshot',
  lane: 'screen',
  displayId: ':1.0',
  contentType: 'image/webp',
  bytes: await picture(),
  small: await picture(),
})
const sound = (): Partial<CapturedItem> => ({
  kind: 'audio_chunk',
  lane: 'microphone',
  contentType: 'audio/wav',
  durationMs: 1000,
  meta: { codec: 'pcm' },
  bytes: wave(),
  levels: randomBytes(10),
})
const clip = (size: number): Partial<CapturedItem> => ({
  kind: 'screen_clip',
  lane: 'screen',
  displayId: ':1.0',
  contentType: 'video/mp4',
  durationMs: 1000,
  bytes: film(size),
})

/** Items of several kinds, one of them too large for a pack; the session then ends. Gives the hashes of the items. */
const recordAndEnd = async (): Promise<{ id: string; made: string[] }> => {
  const { agent, capture, id } = await desktop.record(config)
  const items = [await still(), sound(), clip(20_000), await still(), clip(2 * MiB + 1), sound(), await still()]
  for (const item of items) {
    const at = { capturedAt: Date.now(), monotonicMs: performance.now() }
    await capture.sink?.item({ meta: {}, ...at, ...item } as CapturedItem)
  }
  await server.api.call('sessions.end', { params: { id }, body: {} })
  await until('the end', () => agent.state().screen === 'done', 60_000)
  return { id, made: items.map(({ bytes }) => sha256(bytes!)) }
}

const expectEachOnce = async (id: string, made: readonly string[]): Promise<void> => {
  const { data } = await server.api.call('sessions.evidence.list', { params: { id }, query: { limit: 100 } })
  expect(data.items.map((row) => row.sha256).toSorted()).toEqual([...made].toSorted())
  for (const row of data.items) {
    const { data: link } = await server.api.call('evidence.downloadUrl', { params: { id: row.id } })
    expect(sha256(new Uint8Array(await (await fetch(link.url)).arrayBuffer()))).toBe(row.sha256)
  }
}
const askedFor = (ending: string): number => desktop.asked.filter((path) => path.endsWith(ending)).length

it('what several lanes captured arrives in packs, each item once, byte for byte', async () => {
  const { id, made } = await recordAndEnd()
  await expectEachOnce(id, made)
  expect(askedFor('/packs')).toBeGreaterThan(0)
  expect(askedFor('/packs')).toBeLessThan(made.length - 1)
  expect(['/screenshots', '/audio-chunks'].map(askedFor)).toEqual([0, 0])
  // What is too large for a pack went in parts.
  expect(askedFor('/complete')).toBe(1)
  const { data } = await server.api.call('sessions.captureChain.get', { params: { id } })
  expect(data).toMatchObject({ signedItems: made.length, notVerifiedItems: 0, notSigned: [] })
}, 120_000)

it('a service without packs is served item by item', async () => {
  desktop.withoutPacks = true
  const { id, made } = await recordAndEnd()
  await expectEachOnce(id, made)
  expect(askedFor('/packs')).toBe(1)
  expect([askedFor('/screenshots'), askedFor('/audio-chunks'), askedFor('/complete')]).toEqual([3, 2, 2])
}, 120_000)
