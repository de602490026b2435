import type { Client } from '@integrity/client/every-endpoint'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { credentialLifetimeMs } from '../../../server/src/domains/interviews/sessions/joining/credentials.store.ts'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { pageSource } from '../../../server/test/test-support/page-source.ts'
import { pressOn, roomToLive, titleOn } from '../../../server/test/test-support/pages.ts'
import {
  accessibilityFaults,
  buildRoomClient,
  cameraArgs,
  newRoom,
  overflowOf,
  smallTargets,
} from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the room in a browser')
let server: TestServer
let api: Client
/** How far the service's clock is ahead of the browser's. */
let aheadMs = 0
beforeAll(async () => {
  buildRoomClient()
  server = await startServer({ overrides: { clock: { ...systemClock, now: () => Date.now() + aheadMs } } })
  api = server.client(server.orgs[0].sandboxKey)
})
afterAll(() => server?.stop())

describe('GET /room/', () => {
  const get = (path: string, method = 'GET') => fetch(`${server.url}${path}`, { method, redirect: 'manual' })

  it('admits no script and no style but its own, nothing from elsewhere, no frame, and the camera for itself alone', async () => {
    const response = await get('/room/')
    expect(response.status).toBe(200)
    const { scripts, styles, rest } = pageSource(await response.text())
    expect([scripts.length, styles.length]).toEqual([1, 1])
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${scripts[0]}; style-src ${styles[0]}; img-src 'self' blob: data:; media-src blob:; worker-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    )
    expect(response.headers.get('permissions-policy')).toContain('camera=(self)')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('public, no-cache')
    expect(rest).toContain('<noscript>')
    expect(rest).not.toMatch(/\son\w+=|\sstyle=|https?:\/\//)
  })

  it('is one file of at most 60 kB as it travels; its worker has a name that holds the hash of its content', async () => {
    const response = await fetch(`${server.url}/room/`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(Number(response.headers.get('content-length'))).toBeLessThan(60_000)
    const html = await response.text()
    expect(pageSource(html).rest).not.toMatch(/(?:src|href)="(?!data:,")/)
    const [worker = ''] = /assets\/ticker\.worker-[\w-]+\.js/.exec(html) ?? []
    const loaded = await get(`/room/${worker}`)
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(loaded.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(loaded.headers.get('content-security-policy')).toContain("script-src 'none'")
  })

  it('leads from /room to its folder, and knows no other path and no other method', async () => {
    const leads = await get('/room')
    expect([leads.status, leads.headers.get('location')]).toEqual([302, 'room/'])
    for (const path of ['/room/index.html', '/room/assets/', '/room/assets/nothing.js', '/room/..%2fserver', '/Room/'])
      expect((await get(path)).status, path).toBe(404)
    expect((await get('/room/', 'POST')).status).toBe(405)
  })
})

describe.skipIf(!chromium)('the room in a browser', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedChromium(chromium, cameraArgs)
  })
  afterAll(() => closeContexts(browser))
  const visit = useVisits({ browser: () => browser, url: () => server.url })
  afterEach(() => {
    aheadMs = 0
  })

  /** On the page with this title: nothing axe objects to, and nothing to scroll sideways. */
  const onPage = async (page: Page, text: string): Promise<void> => {
    await titleOn(page, text)
    expect(await accessibilityFaults(page), text).toEqual([])
    expect(await overflowOf(page), text).toBeLessThanOrEqual(0)
    expect(await smallTargets(page), text).toEqual([])
  }
  const counted = async (page: Page, what: 'sent' | 'waiting'): Promise<number> =>
    Number(await page.locator(`[data-count=${what}]`).textContent())
  // Pictures wait up to 20 s to be sent together.
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 45_000, interval: 50 })
  const atLeast = (page: Page, what: 'sent' | 'waiting', count: number) =>
    until(async () => expect(await counted(page, what)).toBeGreaterThanOrEqual(count))
  const stillsOf = async (id: string) =>
    (await api.call('sessions.evidence.list', { params: { id }, query: { limit: 100, evidence_type: 'camera_frame' } }))
      .data.items
  /** The client ids of the pictures that wait in the browser. */
  const queued = (page: Page): Promise<string[]> =>
    page.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('room')
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const all = opening.result.transaction('stills').objectStore('stills').getAll()
        all.onsuccess = () => { opening.result.close(); resolve(all.result.map(({ clientId }) => clientId)) }
      }
    })`)

  it('takes its link out of the address bar, asks, shows the picture, and sends stills that are pictures', async () => {
    const room = await newRoom(server, api)
    const { page, seen } = await visit()
    await page.goto(room.link)
    await onPage(page, 'May this camera take pictures?')
    expect(page.url()).toBe(`${server.url}/room/`)
    expect(await page.evaluate('[document.referrer, history.length, sessionStorage.length]')).toEqual(['', 2, 1])
    const { data } = await server.client(room.token).call('rooms.get', { params: { sessionId: room.id } })
    const said = await page.locator('main').innerText()
    for (const text of [data.org.name, data.consentDocument.lanes[0]?.text ?? '-', '90', 'Room 4'])
      expect(said).toContain(text)
    expect(said).not.toContain('A. Candidate')
    await pressOn(page, 'I agree')
    await onPage(page, 'Choose the camera')
    await pressOn(page, 'Turn the camera on')
    await page.getByLabel('What the camera sees now').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await stillsOf(room.id)).toEqual([])
    await pressOn(page, 'Start taking pictures')
    await atLeast(page, 'sent', 3)
    await onPage(page, 'The camera is on')
    await expect.poll(() => page.getByText('Recording: one picture every second').isVisible()).toBe(true)
    const stills = await stillsOf(room.id)
    const { data: link } = await api.call('evidence.downloadUrl', { params: { id: stills[0]?.id ?? '' } })
    const bytes = await (await fetch(`${server.url}${new URL(link.url).pathname}${new URL(link.url).search}`)).bytes()
    const picture = await sharp(bytes).stats()
    // The test camera is green and moves.
    expect(picture.dominant.g).toBeGreaterThan(picture.dominant.r + 50)
    expect(stills[0]).toMatchObject({ contentType: 'image/webp', metadata: { width: 1280, height: 720 } })
    expect(new Set(stills.map(({ sha256 }) => sha256)).size).toBe(stills.length)
    expect(await page.evaluate('document.querySelector(\'img[alt="The last picture sent"]\').naturalWidth')).toBe(1280)
    expect(seen.errors).toEqual([])
  })

  it('asks in the language of the page, also when that changes while it is read, and records that language', async () => {
    const room = await newRoom(server, api)
    const { page } = await visit({ locale: 'hi-IN' })
    const words = async (locale: string) => {
      const { data } = await server
        .client(room.token)
        .call('rooms.get', { params: { sessionId: room.id }, query: { locale } })
      return data.consentDocument.lanes[0]?.text ?? '-'
    }
    const [hindi, english] = [await words('hi'), await words('en')]
    await page.goto(room.link)
    await onPage(page, 'क्या यह कैमरा तस्वीरें ले सकता है?')
    await page.getByText(hindi).waitFor()
    await expect.poll(() => page.locator('[lang="hi"]', { hasText: hindi }).count()).toBeGreaterThan(0)
    await pressOn(page, 'English')
    await page.getByText(english).waitFor()
    await titleOn(page, 'May this camera take pictures?')
    // Nothing on the page is in a language of its own.
    expect(await page.locator('main').innerText()).not.toContain('The service records this text')
    await pressOn(page, 'हिन्दी')
    await page.getByText(hindi).waitFor()
    await pressOn(page, 'मैं सहमत हूँ')
    await onPage(page, 'कैमरा चुनें')
    const rows = await server.app.db.reader.all<{ locale: string }>(
      'SELECT locale FROM consents WHERE session_id = ?',
      [room.id],
    )
    expect(rows).toContainEqual(expect.objectContaining({ locale: 'hi' }))
  })

  // Pictures wait up to 20 seconds for others, four times here.
  it('loses no picture and sends none twice through a lost network and a reload, and lets the room go', {
    timeout: 180_000,
  }, async () => {
    const room = await newRoom(server, api)
    const { page, context } = await visit()
    await page.goto(room.link)
    await roomToLive(page)
    await atLeast(page, 'sent', 1)
    await context.setOffline(true)
    await atLeast(page, 'waiting', 2)
    await page.getByText('The service cannot be reached at the moment.').waitFor({ timeout: 45_000 })
    expect(await accessibilityFaults(page)).toEqual([])
    const [first, before] = [await queued(page), await counted(page, 'sent')]
    await context.setOffline(false)
    await atLeast(page, 'sent', before + first.length)
    // A network that lets the page through, but no picture.
    let cut = 0
    await page.route('**/packs', (route) => {
      cut += 1
      return route.abort()
    })
    // One request at a time: from the first that was cut on, none is on its way.
    await until(async () => expect(cut).toBeGreaterThan(0))
    await atLeast(page, 'waiting', 2)
    const second = await queued(page)
    await page.reload()
    await titleOn(page, 'The camera is on')
    expect(await queued(page)).toEqual(expect.arrayContaining(second))
    await page.unroute('**/packs')
    // What was taken since then may wait for others.
    await until(async () => expect(await queued(page)).not.toEqual(expect.arrayContaining(second.slice(-1))))
    await pressOn(page, 'Stop')
    expect(await accessibilityFaults(page)).toEqual([])
    await pressOn(page, 'Stop and leave')
    await onPage(page, 'Done')
    const ids = (await stillsOf(room.id)).map(({ clientId }) => clientId)
    expect(ids).toEqual(expect.arrayContaining([...first, ...second]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(await page.locator('main').innerText()).toContain(
      `${ids.length} ${ids.length === 1 ? 'picture was' : 'pictures were'} sent.`,
    )
    expect([await queued(page), await page.evaluate('sessionStorage.length')]).toEqual([[], 0])
    // The same link, pasted into the same tab.
    await page.goto(room.link)
    await onPage(page, 'This link was used and has ended')
    expect(page.url()).toBe(`${server.url}/room/`)
  })

  it('can be used at 320 pixels, with the keyboard alone, in Hindi, and from right to left', async () => {
    const room = await newRoom(server, api)
    const { page } = await visit({ width: 320, height: 640, locale: 'hi-IN' })
    const tabTo = async (name: string) => {
      await until(async () => {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(
          '[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]',
        )
        expect(focused).toEqual([name, 'solid'])
      })
    }
    const enter = async (name: string) => {
      await tabTo(name)
      await page.keyboard.press('Enter')
    }
    await page.goto(room.link)
    await onPage(page, 'क्या यह कैमरा तस्वीरें ले सकता है?')
    expect(await page.evaluate('[document.documentElement.lang, document.activeElement.tagName]')).toEqual(['hi', 'H1'])
    await page.evaluate("document.documentElement.dir = 'rtl'")
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await enter('मैं सहमत हूँ')
    await onPage(page, 'कैमरा चुनें')
    await enter('कैमरा चालू करें')
    await page.locator('video').waitFor()
    await enter('तस्वीरें लेना शुरू करें')
    await atLeast(page, 'sent', 1)
    await onPage(page, 'कैमरा चालू है')
    for (const [reducedMotion, animation] of [
      ['reduce', 'none'],
      ['no-preference', 'breathe'],
    ] as const) {
      await page.emulateMedia({ reducedMotion })
      expect(await page.evaluate("getComputedStyle(document.querySelector('.dot')).animationName")).toBe(animation)
    }
    await enter('बंद करें')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').isVisible()).toBe(false)
    await enter('English')
    await titleOn(page, 'The camera is on')
    await enter('Stop')
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.keyboard.press('Enter')
    await onPage(page, 'Done')
  })

  it('shows a document that changed while it was read, records no, and opens no camera then', async () => {
    const room = await newRoom(server, api)
    const { page } = await visit()
    await page.goto(room.link)
    await titleOn(page, 'May this camera take pictures?')
    const body = { camera: { stillIntervalSeconds: 7 } }
    await api.call('sessions.patch', { params: { id: room.id }, body })
    await pressOn(page, 'I agree')
    await page.getByText('This text has changed while you were reading.').waitFor()
    await page.getByText('one every 7 seconds').waitFor()
    expect(await page.getByText('Every second').count()).toBe(0)
    await onPage(page, 'May this camera take pictures?')
    await pressOn(page, 'I do not agree')
    await onPage(page, 'No pictures are taken')
    const { data } = await server.client(room.token).call('rooms.get', { params: { sessionId: room.id } })
    expect(data.consent).toMatchObject({ granted: false })
    expect(await stillsOf(room.id)).toEqual([])
    await pressOn(page, 'Read it again and change my answer')
    await titleOn(page, 'May this camera take pictures?')
  })

  it("says what to do when the camera is not permitted, in the organisation's colour as far as it can be read", async () => {
    const room = await newRoom(server, api)
    const { page, context } = await visit({ camera: false })
    await page.route(`**/v1/rooms/${room.id}**`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { org: object } }
      Object.assign(body.data.org, { brand: { primaryColor: '#ffd400' } })
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(room.link)
    await pressOn(page, 'I agree')
    await pressOn(page, 'Turn the camera on')
    await onPage(page, 'The camera is not permitted')
    const accents = await page.evaluate(
      "['light', 'dark'].map((scheme) => document.documentElement.style.getPropertyValue('--brand-' + scheme + '-accent'))",
    )
    expect(accents).toEqual([expect.stringMatching(/^#[0-9a-f]{6}$/), '#ffd400'])
    await context.grantPermissions(['camera'])
    await pressOn(page, 'Try again')
    await page.getByLabel('What the camera sees now').waitFor()
  })

  it('has a page of its own for every link that opens nothing', async () => {
    const { page } = await visit()
    const open = async (link: string, text: string) => {
      await page.goto('about:blank')
      await page.goto(link)
      await onPage(page, text)
      expect(page.url()).toBe(`${server.url}/room/`)
    }
    const [ended, released, old] = [await newRoom(server, api), await newRoom(server, api), await newRoom(server, api)]
    await open(`${server.url}/room/`, 'This page opens with a link')
    await open(`${server.url}/room/#ses_1.rmt_cut`, 'This link does not work')
    await open(`${old.link.slice(0, -4)}aaaa`, 'This link does not work')
    await open(old.link.replace(old.id, ended.id), 'This link does not work')
    await server.client(released.token).call('rooms.release', { params: { sessionId: released.id } })
    await open(released.link, 'This link was used and has ended')
    await api.call('sessions.end', { params: { id: ended.id } })
    await open(ended.link, 'The interview has ended')
    aheadMs = credentialLifetimeMs
    await open(old.link, 'This link has expired')
  })

  it('puts the camera off when the interview ends, and belongs to one tab at a time', async () => {
    const room = await newRoom(server, api)
    const { page, context } = await visit()
    await page.goto(room.link)
    await roomToLive(page)
    const other = await context.newPage()
    await other.goto(room.link)
    await onPage(other, 'This room is open in another tab')
    await pressOn(other, 'Use it in this tab')
    await titleOn(page, 'This room is open in another tab')
    await pressOn(other, 'Turn the camera on')
    await pressOn(other, 'Start taking pictures')
    await atLeast(other, 'sent', 1)
    await api.call('sessions.end', { params: { id: room.id } })
    await onPage(other, 'The interview has ended')
    expect(await other.locator('video').count()).toBe(0)
  })

  it('goes on by itself in the tab that waited, when the one that has the room is closed', async () => {
    const room = await newRoom(server, api)
    const { page, context } = await visit()
    await page.goto(room.link)
    await titleOn(page, 'May this camera take pictures?')
    const other = await context.newPage()
    await other.goto(room.link)
    await titleOn(other, 'This room is open in another tab')
    await page.close()
    await titleOn(other, 'May this camera take pictures?')
  })

  it('says in words what it needs where no script runs', async () => {
    const { page } = await visit({ width: 320, height: 640 })
    // As a browser without scripts takes it: the debugger cannot switch them off early enough for `noscript`.
    await page.route('**/room/', async (route) => {
      const html = await (await route.fetch()).text()
      await route.fulfill({ body: html.replace(/<script.*?<\/script>|<\/?noscript>/g, ''), contentType: 'text/html' })
    })
    await page.goto(`${server.url}/room/`)
    await onPage(page, 'This page needs JavaScript')
    await page.getByText('इस पेज के लिए JavaScript ज़रूरी है').waitFor()
  })
})
