import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { findChromium, launchChromium } from '../../../server/test/test-support/browser.ts'
import { cameraFileArgs, drawScene } from '../../../server/test/test-support/camera-file.ts'
import { buildCompanionClient, newPhoneLink, queuedOn } from '../../../server/test/test-support/companion-pages.ts'
import { agreeOnPhone, pressOn, stopPhone, titleOn, toPhoto } from '../../../server/test/test-support/pages.ts'
import { portalCookie } from '../../../server/test/test-support/portal.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the whole way of a phone')

/** A server that starts again must be found where it was. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/**
 * How alike two pictures are in what is bright and what is dark on them, -1 to 1 (Pearson). Colours are not compared: on
 * its way through a browser's camera a picture changes its range of them.
 */
const likeness = async (one: Uint8Array, other: Uint8Array): Promise<number> => {
  const raster = async (bytes: Uint8Array) => [...(await sharp(bytes).resize(64, 36).greyscale().raw().toBuffer())]
  const centred = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return values.map((value) => value - mean)
  }
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  const [a, b] = [centred(await raster(one)), centred(await raster(other))]
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

describe.skipIf(!chromium)('the whole way of a phone', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'journey-'))
  let desk: Buffer
  let server: TestServer
  let api: Client
  let browser: Browser
  beforeAll(async () => {
    buildCompanionClient()
    desk = await drawScene('desk')
    server = await startServer({ overrides: { clock: systemClock }, env: { PORT: String(await freePort()) } })
    api = server.client(server.orgs[0].sandboxKey)
    browser = await launchChromium(chromium, cameraFileArgs(path.join(folder, 'camera.mjpeg'), desk))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually: { width: 390, height: 844 } })
  const until = (check: () => Promise<void>, timeout = 60_000) => vi.waitFor(check, { timeout, interval: 100 })

  const told = async (sessionId: string) => {
    const { data } = await api.call('events.list', { query: { sessionId, limit: 100 } })
    const types = data.items.map(({ type }) => type).filter((type) => type.startsWith('companion.'))
    // The photo and the beats travel side by side.
    return types.filter((type) => type !== 'companion.placement_confirmed').reverse()
  }
  const evidenceOf = async (id: string, type: 'placement_photo' | 'side_view_clip') => {
    const query = { limit: 100, evidence_type: type } as const
    return (await api.call('sessions.evidence.list', { params: { id }, query })).data.items
  }
  const bytesOf = async (id: string) => {
    const { data } = await api.call('evidence.downloadUrl', { params: { id } })
    const { pathname, search } = new URL(data.url)
    return (await fetch(`${server.url}${pathname}${search}`)).bytes()
  }
  const beatsOf = (sessionId: string) =>
    server.app.db.reader.all<{ clientId: string; at: number; beat: string }>(
      `SELECT b.client_id AS "clientId", b.at AS "at", b.beat AS "beat" FROM presence_beats b JOIN companions c
       ON c.org_id = b.org_id AND c.companion_id = b.companion_id WHERE c.session_id = ? ORDER BY b.at`,
      [sessionId],
    )
  /** The service goes away and comes back when a clip's bytes are there and it has only to be closed. */
  const restartInsideAClip = async (page: Page): Promise<{ upload: string | undefined; sent: string[] }> => {
    const seen = { upload: undefined as string | undefined, sent: [] as string[] }
    let isCut = false
    // A pack that is cut off: its clip goes in parts.
    await page.route(/\/packs$/, (route) => {
      if (isCut) return route.continue()
      isCut = true
      return route.abort('connectionreset')
    })
    await page.route(/\/v1\/uploads\//, async (route) => {
      const [, upload = '', what] = /uploads\/([^/]+)\/(\w+)/.exec(route.request().url()) ?? []
      if (what === 'parts') seen.sent.push(upload)
      if (what !== 'complete' || seen.upload !== undefined) return route.continue()
      await server.restart()
      seen.upload = upload
      return route.abort('connectionreset')
    })
    return seen
  }

  it('from a typed code to its unpairing keeps everything through 30 s without a network and a restart of the service', async () => {
    const phone = await newPhoneLink(server, api, true)
    const member = await visit()
    const [name = '', value = ''] = (await portalCookie(server, 'reviewer')).cookie.split('=')
    await member.context.addCookies([{ name, value, url: server.url }])
    const { page, context } = await visit()
    await page.goto(`${server.url}/companion/`)
    await page.getByLabel('Code').fill(phone.code.toLowerCase())
    await pressOn(page, 'Connect')
    await agreeOnPhone(page)
    await toPhoto(page)
    await pressOn(page, 'Send this photo and begin')
    await page.getByText('Recording', { exact: true }).waitFor()

    await until(async () => expect(await evidenceOf(phone.id, 'placement_photo')).toHaveLength(1))
    const [photo] = await evidenceOf(phone.id, 'placement_photo')
    const taken = await bytesOf(photo?.id ?? '')
    expect(await likeness(taken, desk)).toBeGreaterThan(0.99)
    expect(await likeness(taken, await drawScene('room'))).toBeLessThan(0.9)

    const preview = `${server.url}/v1/sessions/${phone.id}/companion/preview`
    await until(async () => expect((await member.context.request.get(preview)).status()).toBe(200))
    const shown = await (await member.context.request.get(preview)).body()
    expect(await likeness(shown, desk)).toBeGreaterThan(0.99)
    expect((await sharp(shown).metadata()).width).toBe(640)

    const wentOff = Date.now()
    await context.setOffline(true)
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    // The service itself notices the silence, three intervals after the last word.
    await until(async () => {
      await server.processAll()
      expect(await told(phone.id)).toContain('companion.interrupted')
    })
    // And a clip of half a minute waits.
    await until(async () => expect(Date.now() - wentOff).toBeGreaterThanOrEqual(31_000))
    const agent = () => server.client(phone.agent).call('companion.get', { params: { id: phone.id } })
    expect((await agent()).data.interruptedSince).not.toBeNull()
    const waiting = await queuedOn(page)
    expect(waiting.length).toBeGreaterThanOrEqual(4)

    const restart = await restartInsideAClip(page)
    await context.setOffline(false)
    await until(async () => expect(restart.upload).toBeDefined())
    await until(async () => expect(await queuedOn(page)).toEqual([]))
    // What was there before the restart is not sent again.
    expect(restart.sent.filter((upload) => upload === restart.upload)).toHaveLength(1)
    await until(async () => {
      await server.processAll()
      expect(await told(phone.id)).toContain('companion.resumed')
    })
    expect((await agent()).data).toMatchObject({ interruptedSince: null, recording: 'on' })
    await until(async () => expect((await member.context.request.get(preview)).status()).toBe(200))

    await stopPhone(page)
    await titleOn(page, 'Done')
    const [beats, clips] = [await beatsOf(phone.id), await evidenceOf(phone.id, 'side_view_clip')]
    const arrived = [...beats, ...clips].map(({ clientId }) => clientId)
    expect(arrived).toEqual(expect.arrayContaining(waiting))
    expect(new Set(arrived).size).toBe(arrived.length)
    // One every ten seconds, also while there was no network.
    const gaps = beats.slice(1).map(({ at }, index) => Number(at) - Number(beats[index]?.at))
    expect(Math.max(...gaps)).toBeLessThan(15_000)
    const stored = [...clips].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
    expect(stored.map(({ capturedAt }) => capturedAt)).toEqual(clips.map(({ capturedAt }) => capturedAt).sort())
    await until(async () => {
      await server.processAll()
      expect(await told(phone.id)).toEqual([
        'companion.paired',
        'companion.recording_started',
        'companion.interrupted',
        'companion.resumed',
        'companion.recording_stopped',
      ])
    })
    expect((await agent()).data.paired).toBe(false)
    expect((await member.context.request.get(preview)).status()).toBe(404)
  })
})
