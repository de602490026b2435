import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compositionIdOf } from '../../../src/domains/review/compositions/compositions.id.model.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createFilmEngine } from '../../../src/platform/film/film-engine.ts'
import { layoutFilm } from '../../../src/platform/film/film-layout.ts'
import {
  buildCaptureSession,
  type CaptureSession,
  iso,
  newClientId,
  sha256,
} from '../../test-support/capture-session.ts'
import { ffmpeg, makeMedia, makeStill } from '../../test-support/film-fixtures.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type SeenFilm, seeFilm } from '../../test-support/watch-film.ts'
import { endSession, sendEvent, sendFrame, sendSound, sendStill } from './film-session.ts'

const red = [220, 30, 30] as const
const green = [40, 160, 60] as const
const blue = [30, 60, 200] as const
const css = (rgb: readonly number[]) => `rgb(${rgb.join(',')})`
const still = (rgb: readonly number[]) => makeStill(css(rgb), 1280, 720)
const tone = (seconds: number) =>
  makeMedia('ogg', ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-c:a', 'libopus'])
const moving = () =>
  makeMedia('mp4', ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10:duration=5', '-pix_fmt', 'yuv420p'])

const layout = layoutFilm(1280, 720)
const webcam = layout.insets[0].place
/** Of the screen, away from the corner. */
const screen = { x: 100, y: 100, width: 400, height: 300 }
const corner = { x: webcam.x + 40, y: webcam.y + 40, width: 100, height: 60 }
const caption = {
  x: layout.caption.x,
  y: layout.strip.y + 4,
  width: layout.caption.width - 1,
  height: layout.strip.height - 8,
}

const near = (actual: readonly number[], wanted: readonly number[]) => {
  for (const [i, value] of wanted.entries()) expect(Math.abs((actual[i] ?? -1) - value), actual.join()).toBeLessThan(16)
}
const difference = (a: Buffer, b: Buffer): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length

/**
 * Forty seconds: a red screen, from 10 s on a green one, paused from 25 s on; a blue camera, from 20 s to 25 s a moving
 * one; sound to 8 s and from 20 s to 28 s; a display at 14 s.
 */
const interview = async (server: TestServer): Promise<CaptureSession> => {
  const s = await buildCaptureSession(server)
  const start = server.clock.now()
  const at = (seconds: number) => ({ at: start + seconds * 1000 })
  await sendStill(server, s, { ...at(0), bytes: await still(red), contentType: 'image/png' })
  await sendStill(server, s, { ...at(10), bytes: await still(green), contentType: 'image/png' })
  await sendFrame(server, s, { ...at(0), bytes: await still(blue), contentType: 'image/png' })
  const clip = await moving()
  const meta = { clientId: newClientId(), sha256: sha256(clip), capturedAt: iso(start + 20_000), durationMs: 5000 }
  const raw = { bytes: clip, contentType: 'video/mp4', meta }
  await s.agent.call('agent.cameraClips.upload', { params: { id: s.id }, raw })
  await sendSound(server, s, { ...at(0), bytes: await tone(8), durationMs: 8000, sequence: 0 })
  await sendSound(server, s, { ...at(20), bytes: await tone(7.9), durationMs: 8000, sequence: 1 })
  await sendEvent(s, start + 14_000, 'display.added')
  const span = { fromAt: iso(start + 25_000), toAt: iso(start + 40_000) }
  await sendEvent(s, start + 40_000, 'lane.gap', { lane: 'screen', reason: 'paused', ...span })
  server.clock.advance(40_000)
  await endSession(s)
  return s
}

describe.skipIf(!ffmpeg)('the film of an interview', () => {
  let directory: string
  let server: TestServer
  let s: CaptureSession
  let bytes: Buffer
  let film: SeenFilm

  const read = async () => (await s.api.call('compositions.get', { params: { id: compositionIdOf(s.id) } })).data

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'composition-'))
    server = await startServer({ overrides: { films: createFilmEngine({ ffmpegPath: undefined }, systemClock) } })
    s = await interview(server)
    const params = { id: compositionIdOf(s.id) }
    await s.api.call('compositions.render', { params })
    await server.processAll()
    const { data } = await s.api.call('compositions.downloadUrl', { params })
    const url = new URL(data.url)
    const answer = await fetch(server.url + url.pathname + url.search)
    bytes = Buffer.from(await answer.arrayBuffer())
    film = await seeFilm(bytes, directory)
  }, 120_000)
  afterAll(async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('is an MP4 of H.264 and AAC as long as the session, with the hash that the service gives', async () => {
    const composition = await read()
    expect(composition).toMatchObject({ status: 'ready', durationMs: 40_000, width: 1280, height: 720 })
    expect(composition.integrity).toMatchObject({ inputCount: 6, ffmpegVersion: ffmpeg?.version })
    expect(composition.integrity?.command).toMatch(/^ffmpeg .*libx264/)
    expect(composition.integrity?.command).not.toContain(server.app.config.dataDir)
    expect(composition.sizeBytes).toBe(bytes.length)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(composition.integrity?.outputSha256)
    const { seconds, ...probed } = await film.probe()
    expect(probed).toEqual({ codecs: ['h264', 'aac'], width: 1280, height: 720 })
    expect(seconds).toBeCloseTo(40, 0)
  })

  it('shows the screen, each still until the next, and in the corner the camera', async () => {
    near(await film.colour(5, screen), red)
    near(await film.colour(9.5, screen), red)
    near(await film.colour(10.5, screen), green)
    near(await film.colour(24.5, screen), green)
    near(await film.colour(5, corner), blue)
    near(await film.colour(30, corner), blue)
  })

  it('plays the recording of the camera', async () => {
    const [one, two] = [await film.pixels(21, webcam), await film.pixels(24, webcam)]
    expect(difference(one, await film.pixels(19, webcam))).toBeGreaterThan(10)
    expect(difference(one, two)).toBeGreaterThan(2)
  })

  it('shows a light card where nothing was captured, never black', async () => {
    const colour = await film.colour(30, screen)
    expect(Math.min(...colour)).toBeGreaterThan(200)
    expect(Math.max(...colour) - Math.min(...colour)).toBeLessThan(8)
  })

  it('says what was observed, for four seconds', async () => {
    const [before, during, after] = [
      await film.pixels(12, caption),
      await film.pixels(15, caption),
      await film.pixels(19, caption),
    ]
    expect(difference(before, during)).toBeGreaterThan(1)
    expect(difference(before, after)).toBeLessThan(0.5)
  })

  it('sounds where there was sound, and is silent where there was none', async () => {
    expect(await film.loudness(1, 7)).toBeGreaterThan(0.02)
    expect(await film.loudness(9, 19)).toBeLessThan(0.001)
    expect(await film.loudness(21, 27)).toBeGreaterThan(0.02)
    expect(await film.loudness(29, 39)).toBeLessThan(0.001)
  })

  it('leaves no temporary file behind', async () => {
    expect(await readdir(join(server.app.config.dataDir, 'films'))).toEqual([])
  })

  it('is cut off when the session is erased while it is made, and nothing is left', async () => {
    const other = await interview(server)
    await other.api.call('compositions.render', { params: { id: compositionIdOf(other.id) } })
    const running = server.processAll()
    const status = async () =>
      (await other.api.call('sessions.compositions.list', { params: { id: other.id } })).data.items[0]?.status
    await expect.poll(status, { interval: 5 }).toBe('rendering')
    await other.api.call('sessions.erase', { params: { id: other.id } })
    await running
    expect(await status()).toBe('erased')
    expect(await readdir(join(server.app.config.dataDir, 'films'))).toEqual([])
  })
})
