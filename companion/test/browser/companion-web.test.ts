import { execFileSync } from 'node:child_process'
import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { getOrg } from '../../../server/src/domains/organisation/orgs/orgs.service.ts'
import { companionPages } from '../../../server/src/pipeline/pages/companion-pages.ts'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  beyondEdges,
  bringForward,
  buildCompanionClient,
  newPhoneLink,
  nextCode,
  queuedOn,
} from '../../../server/test/test-support/companion-pages.ts'
import { pageSource } from '../../../server/test/test-support/page-source.ts'
import { phoneToLive, pressOn, stopPhone, titleOn, toPhoto } from '../../../server/test/test-support/pages.ts'
import { portalCookie } from '../../../server/test/test-support/portal.ts'
import { accessibilityFaults, cameraArgs, smallTargets } from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the phone companion in a browser')
let server: TestServer
/** How far the service's clock is ahead of the browser's. */
let aheadMs = 0

/** Decodes a film to its end and counts its pictures. */
const framesOf = (film: Uint8Array): number => {
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames']
  const counted = execFileSync('ffprobe', [...args, '-of', 'csv=p=0', '-'], { input: film })
  return Number(counted.toString().trim().split(',')[0])
}
let api: Client
beforeAll(async () => {
  buildCompanionClient()
  server = await startServer({ overrides: { clock: { ...systemClock, now: () => Date.now() + aheadMs } } })
  api = server.client(server.orgs[0].sandboxKey)
})
afterAll(() => server?.stop())

describe('GET /companion/', () => {
  const get = (path: string, method = 'GET') => fetch(`${server.url}${path}`, { method, redirect: 'manual' })

  it('admits no script and no style but its own, nothing from elsewhere, no frame, and the camera for itself alone', async () => {
    const response = await get('/companion/')
    expect(response.status).toBe(200)
    const { scripts, styles, rest } = pageSource(await response.text())
    expect([scripts.length, styles.length]).toEqual([1, 3])
    const policy = response.headers.get('content-security-policy')?.split('; ')
    // It loads its reader of codes from this server, when a code is to be read.
    for (const rule of [
      "default-src 'none'",
      `script-src 'self' ${scripts[0]}`,
      `style-src ${styles.join(' ')}`,
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule)
    expect(response.headers.get('permissions-policy')).toContain('camera=(self)')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(rest).toContain('<noscript>')
    expect(rest).not.toMatch(/\son\w+=|\sstyle=|https?:\/\//)
  })

  it('is one file, small enough for a phone; what it loads later has a name that holds the hash of its content', async () => {
    const response = await fetch(`${server.url}/companion/`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(Number(response.headers.get('content-length'))).toBeLessThan(155_000)
    const html = await response.text()
    expect(pageSource(html).rest).not.toMatch(/(?:src|href)="(?!data:,")/)
    const [later = ''] = /_expo\/static\/js\/web\/decode-\w+\.js/.exec(html) ?? []
    const loaded = await get(`/companion/${later}`)
    expect([loaded.status, loaded.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  })

  it('leads from /companion to its folder, and knows no other path and no other method', async () => {
    const leads = await get('/companion')
    expect([leads.status, leads.headers.get('location')]).toEqual([302, 'companion/'])
    for (const path of [
      '/companion/index.html',
      '/companion/built-from.txt',
      '/companion/..%2fserver',
      '/companion/_expo/x.js',
    ])
      expect((await get(path)).status, path).toBe(404)
    expect((await get('/companion/', 'POST')).status).toBe(405)
  })

  it('says how to build it where it is not built', async () => {
    const page = companionPages('/nowhere').get('/companion/')
    expect(page).toBeDefined()
    expect([...companionPages('/nowhere').keys()]).toEqual(['/companion/'])
  })
})

describe.skipIf(!chromium)('the phone companion in a browser', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedChromium(chromium, cameraArgs)
  })
  afterAll(() => closeContexts(browser))
  const visit = useVisits({
    browser: () => browser,
    url: () => server.url,
    usually: { width: 390, height: 844 },
  })
  /** On the screen with this title: nothing axe objects to, and nothing beyond the edges. */
  const onScreen = async (page: Page, text: string): Promise<void> => {
    await titleOn(page, text)
    expect(await accessibilityFaults(page), text).toEqual([])
    expect(await beyondEdges(page), text).toBeLessThanOrEqual(0)
    expect(await smallTargets(page), text).toEqual([])
  }
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })
  const evidenceOf = async (id: string) =>
    (await api.call('sessions.evidence.list', { params: { id }, query: { limit: 100 } })).data.items
  const told = async (sessionId: string) => {
    const { data } = await api.call('events.list', { query: { sessionId, limit: 100 } })
    return data.items
      .map(({ type }) => type)
      .filter((type) => type.startsWith('companion.'))
      .reverse()
  }
  const bytesOf = async (id: string) => {
    const { data } = await api.call('evidence.downloadUrl', { params: { id } })
    const { pathname, search } = new URL(data.url)
    return (await fetch(`${server.url}${pathname}${search}`)).bytes()
  }

  it('pairs by its link, asks, places with a photo, shows previews, sends beats, and lets go', async () => {
    const phone = await newPhoneLink(server, api)
    const { page, seen } = await visit()
    await page.goto(phone.link)
    await onScreen(page, 'May this phone show your desk?')
    expect(page.url()).toBe(`${server.url}/companion/`)
    const said = await page.getByRole('main').innerText()
    const { name } = await getOrg({ reader: server.app.db.reader }, server.orgs[0].orgId)
    for (const text of [name, 'A second view of your desk', '90', 'no clips are recorded']) expect(said).toContain(text)
    await pressOn(page, 'I agree')
    await onScreen(page, 'Place the phone')
    await pressOn(page, 'Turn the camera on')
    for (const text of [
      'Light: bright enough',
      'Sharpness: sharp enough',
      'Picture: wide',
      'this phone cannot measure it',
    ])
      await page.getByText(text).first().waitFor()
    await onScreen(page, 'Place the phone')
    await pressOn(page, 'My screen is in the picture.')
    await page.getByRole('button', { name: 'My screen is in the picture.', pressed: true }).click()
    await page.reload()
    await titleOn(page, 'Place the phone')
    await toPhoto(page)
    await onScreen(page, 'Place the phone')
    expect(await evidenceOf(phone.id)).toEqual([])
    await pressOn(page, 'Send this photo and begin')
    await page.getByText('Live picture only: people of the organisation can watch it now; it is not kept').waitFor()
    await onScreen(page, 'The side view')
    await until(async () =>
      expect((await evidenceOf(phone.id)).map((item) => item.evidenceType)).toEqual(['placement_photo']),
    )
    const [photo] = await evidenceOf(phone.id)
    const picture = await sharp(await bytesOf(photo?.id ?? '')).stats()
    // The test camera is green and moves.
    expect(picture.dominant.g).toBeGreaterThan(picture.dominant.r + 50)
    const cookie = await portalCookie(server)
    const preview = () => fetch(`${server.url}/v1/sessions/${phone.id}/companion/preview`, { headers: cookie })
    await until(async () => expect((await preview()).status).toBe(200))
    const shown = await sharp(await (await preview()).bytes()).metadata()
    expect(shown).toMatchObject({ format: 'jpeg', width: 640 })
    await until(async () => expect(await told(phone.id)).toEqual(['companion.paired', 'companion.placement_confirmed']))
    const status = (await server.client(phone.agent).call('companion.get', { params: { id: phone.id } })).data
    expect(status).toMatchObject({ consent: 'granted', recording: 'off', foreground: true })
    expect(status.placement.steps.every(({ confirmed }) => confirmed)).toBe(true)
    await pressOn(page, 'Stop and disconnect')
    await onScreen(page, 'The side view')
    await pressOn(page, 'Stop')
    await onScreen(page, 'Done')
    const after = (await server.client(phone.agent).call('companion.get', { params: { id: phone.id } })).data
    expect(after.paired).toBe(false)
    expect(await queuedOn(page)).toEqual([])
    expect(seen.errors).toEqual([])
  })

  const beatsOf = async (sessionId: string): Promise<string[]> => {
    const rows = await server.app.db.reader.all<{ clientId: string }>(
      `SELECT b.client_id AS "clientId" FROM presence_beats b JOIN companions c ON c.org_id = b.org_id AND c.companion_id = b.companion_id WHERE c.session_id = ?`,
      [sessionId],
    )
    return rows.map(({ clientId }) => clientId)
  }
  const atLeastQueued = (page: Page, count: number) =>
    until(async () => expect((await queuedOn(page)).length).toBeGreaterThanOrEqual(count))
  const nothingQueued = (page: Page) => until(async () => expect(await queuedOn(page)).toEqual([]))

  it('loses nothing and sends nothing twice through a lost network and a reload, and its clips are films', async () => {
    const phone = await newPhoneLink(server, api, true)
    const { page, context } = await visit()
    await page.goto(phone.link)
    await page.getByText('In this interview clips are recorded and kept').waitFor()
    await phoneToLive(page)
    await page.getByText('Recording', { exact: true }).waitFor()
    await onScreen(page, 'The side view')
    await nothingQueued(page)
    await context.setOffline(true)
    await bringForward(page, false)
    await page.getByText('Another app was in front.').waitFor()
    await onScreen(page, 'The side view')
    await bringForward(page, true)
    await page.getByText('The side view has been back since').waitFor()
    await page.getByText('The service cannot be reached at the moment.').waitFor()
    // Two beats and the clip that the interruption ended.
    await atLeastQueued(page, 3)
    await onScreen(page, 'The side view')
    const first = await queuedOn(page)
    await context.setOffline(false)
    await nothingQueued(page)
    // A network that lets the page through, but nothing of the phone.
    await page.route(/\/(?:presence|evidence|packs)$/, (route) => route.abort())
    await bringForward(page, false)
    await page.getByText('Interrupted', { exact: true }).waitFor()
    await bringForward(page, true)
    await page.getByText('Recording', { exact: true }).waitFor()
    await atLeastQueued(page, 3)
    const second = await queuedOn(page)
    await page.reload()
    await page.getByText('Recording', { exact: true }).waitFor()
    expect(await queuedOn(page)).toEqual(expect.arrayContaining(second))
    await page.unroute(/\/(?:presence|evidence|packs)$/)
    await nothingQueued(page)
    await stopPhone(page)
    await titleOn(page, 'Done')
    const clips = (await evidenceOf(phone.id)).filter((item) => item.evidenceType === 'side_view_clip')
    const arrived = [...(await beatsOf(phone.id)), ...clips.map(({ clientId }) => clientId)]
    expect(arrived).toEqual(expect.arrayContaining([...first, ...second]))
    expect(new Set(arrived).size).toBe(arrived.length)
    expect(clips.length).toBeGreaterThanOrEqual(3)
    // What changed is told once it has settled; the photo and the beats travel side by side.
    await until(async () => {
      await server.processAll()
      expect((await told(phone.id)).filter((type) => type !== 'companion.placement_confirmed')).toEqual([
        'companion.paired',
        'companion.recording_started',
        'companion.interrupted',
        'companion.resumed',
        'companion.recording_stopped',
      ])
    })
    for (const clip of clips) expect(framesOf(await bytesOf(clip.id))).toBeGreaterThan(0)
  })

  it('records a no, sends nothing then, and lets it be read again', async () => {
    const phone = await newPhoneLink(server, api)
    const { page } = await visit()
    await page.goto(phone.link)
    await pressOn(page, 'I do not agree')
    await onScreen(page, 'This phone sends nothing')
    const status = (await server.client(phone.agent).call('companion.get', { params: { id: phone.id } })).data
    expect(status).toMatchObject({ consent: 'declined', lastContactAt: null })
    await page.reload()
    await pressOn(page, 'Read it again and change my answer')
    await titleOn(page, 'May this phone show your desk?')
    await pressOn(page, 'I do not agree')
    await pressOn(page, 'Disconnect this phone')
    await pressOn(page, 'Go on')
    await pressOn(page, 'Disconnect this phone')
    await onScreen(page, 'This phone sends nothing')
    await pressOn(page, 'Disconnect')
    await onScreen(page, 'Done')
  })

  it('says what is wrong with a code, and takes one that is typed or scanned', async () => {
    const { page } = await visit()
    await page.addInitScript(`
      window.BarcodeDetector = class { async detect() { return window.scanned ? [{ rawValue: window.scanned }] : [] } }
    `)
    await page.goto(`${server.url}/companion/`)
    await onScreen(page, 'Connect this phone')
    await page.getByLabel('Code').fill('K7QF')
    await pressOn(page, 'Connect')
    await page.getByText('A code has eight letters and digits').waitFor()
    await page.getByLabel('Code').fill('ZZZZ-ZZZZ')
    await pressOn(page, 'Connect')
    await page.getByText('This code is not known').waitFor()
    await onScreen(page, 'Connect this phone')
    const ended = await newPhoneLink(server, api)
    await api.call('sessions.end', { params: { id: ended.id } })
    await page.getByLabel('Code').fill(ended.code)
    await pressOn(page, 'Connect')
    await page.getByText('No phone can be connected with this code now').waitFor()
    const [used, late] = [await newPhoneLink(server, api), await newPhoneLink(server, api)]
    await server.client().call('pairings.claim', { params: { joinCode: used.code } })
    const answersNothing = async (code: string) => {
      await page.getByLabel('Code').fill(code)
      await pressOn(page, 'Connect')
      await page.getByText('No phone can be connected with this code now').waitFor({ state: 'hidden' })
      await page.getByText('was used already, or is older than 15 minutes').waitFor()
    }
    await answersNothing(used.code)
    aheadMs = 15 * 60_000
    await answersNothing(late.code)
    aheadMs = 0
    const phone = await newPhoneLink(server, api)
    await pressOn(page, 'Scan the code')
    await onScreen(page, 'Scan the code')
    await page.evaluate(`window.scanned = '${phone.link}'`)
    await titleOn(page, 'May this phone show your desk?')
    expect(page.url()).toBe(`${server.url}/companion/`)
  })

  it('can be used at 320 pixels, with the keyboard alone, in Hindi, and from right to left', async () => {
    const phone = await newPhoneLink(server, api)
    const { page } = await visit({ width: 320, height: 640, locale: 'hi-IN' })
    const enter = async (name: string) => {
      await until(async () => {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(
          '[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]',
        )
        expect(focused).toEqual([name, 'solid'])
      })
      await page.keyboard.press('Enter')
    }
    const heading = (level: number, text: string) =>
      page.getByRole('heading', { level, name: text, exact: true }).waitFor()
    await page.goto(phone.link)
    await onScreen(page, 'क्या यह फ़ोन आपकी मेज़ दिखा सकता है?')
    expect(await page.evaluate('[document.documentElement.lang, document.activeElement.tagName]')).toEqual(['hi', 'H1'])
    await page.evaluate("document.documentElement.dir = 'rtl'")
    await onScreen(page, 'क्या यह फ़ोन आपकी मेज़ दिखा सकता है?')
    await enter('मैं सहमत हूँ')
    await onScreen(page, 'फ़ोन को रखें')
    await enter('कैमरा चालू करें')
    await page.locator('video').waitFor()
    await onScreen(page, 'फ़ोन को रखें')
    for (const name of [
      'फ़ोन मेज़ जितना या थोड़ा ऊँचा है, किसी स्थिर चीज़ पर।',
      'वह लगभग एक हाथ दूर से, मेरी बगल से मेज़ को देखता है।',
      'मेरी स्क्रीन तस्वीर में है।',
      'कीबोर्ड पर मेरे हाथ तस्वीर में हैं।',
    ]) {
      await enter(name)
      await page.getByRole('button', { name, pressed: true }).waitFor()
    }
    await enter('तस्वीर लें')
    await heading(2, 'कृपया इस तस्वीर को देखें। नीचे का बटन दबाने पर यह भेजी जाती है।')
    await onScreen(page, 'फ़ोन को रखें')
    await enter('यह तस्वीर भेजें और शुरू करें')
    await onScreen(page, 'बगल का दृश्य')
    await enter('English')
    await onScreen(page, 'The side view')
    await enter('Stop and disconnect')
    await enter('Stop')
    await onScreen(page, 'Done')
  })

  it('uses the camera in one tab at a time', async () => {
    const phone = await newPhoneLink(server, api)
    const { page, context } = await visit()
    await page.goto(phone.link)
    await phoneToLive(page)
    const other = await context.newPage()
    await other.goto(phone.link)
    await other.getByText('Live picture only: people of the organisation can watch it now; it is not kept').waitFor()
    await onScreen(page, 'This page is open in another tab')
    expect(await page.locator('video').count()).toBe(0)
    await pressOn(page, 'Use it in this tab')
    await titleOn(other, 'This page is open in another tab')
    await page.getByText('Live picture only: people of the organisation can watch it now; it is not kept').waitFor()
  })

  it('ends when another phone takes its place, and when the interview ends', async () => {
    const phone = await newPhoneLink(server, api)
    const [first, second] = [(await visit()).page, (await visit()).page]
    await first.goto(phone.link)
    await phoneToLive(first)
    const { link } = await nextCode(server, api, phone.id)
    await second.goto(link)
    await phoneToLive(second)
    await bringForward(first, false)
    await onScreen(first, 'Done')
    await first.getByText('This phone is no longer connected').waitFor()
    await api.call('sessions.end', { params: { id: phone.id } })
    await bringForward(second, false)
    await second.getByText('The interview has ended.').waitFor()
    expect(await queuedOn(second)).toEqual([])
    expect(await second.locator('video').count()).toBe(0)
  })
})
