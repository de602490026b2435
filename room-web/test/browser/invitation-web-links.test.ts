import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { credentialLifetimeMs } from '../../../server/src/domains/interviews/sessions/joining/credentials.store.ts'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  appointment,
  interviewed,
  invite,
  mailedLink,
  onPage,
  portal,
  requestsLink,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { pageSource } from '../../../server/test/test-support/page-source.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { newRoom } from '../../../server/test/test-support/room-pages.ts'
import type { TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { comeBack, invited, openBy, unfold } from './invitation-web.test-support.ts'

const chromium = findChromium('the invitation in a browser')
let server: TestServer
let team: Team
/** How far the service's clock is ahead of the browser's. */
let aheadMs = 0
beforeAll(async () => {
  team = await startInviting(() => Date.now() + aheadMs)
  server = team.server
})
afterAll(() => server?.stop())

/** What a page has at most as it travels, kB; that of the requests has the player and its keys. */
const most = { invitation: 50, requests: 60 } as const

describe.each(['invitation', 'requests'] as const)('GET /%s/', (name) => {
  const get = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { redirect: 'manual', ...init })

  it('admits no script and no style but its own, nothing from elsewhere, no frame and no camera', async () => {
    const response = await get(`/${name}/`)
    expect(response.status).toBe(200)
    const { scripts, styles, rest } = pageSource(await response.text())
    expect([scripts.length, styles.length]).toEqual([1, 1])
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${scripts[0]}; style-src ${styles[0]}; img-src 'self' data:${name === 'requests' ? " blob:; media-src 'self' blob:" : ''}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    )
    expect(response.headers.get('permissions-policy')).toBe(
      'camera=(), display-capture=(), geolocation=(), microphone=()',
    )
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(rest).toContain('<noscript>')
    expect(rest).not.toMatch(/\son\w+=|\sstyle=|https?:\/\//)
  })

  it(`is one file of at most ${most[name]} kB as it travels, and asks for nothing else`, async () => {
    const response = await get(`/${name}/`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(Number(response.headers.get('content-length'))).toBeLessThan(most[name] * 1000)
    expect(pageSource(await response.text()).rest).not.toMatch(/(?:src|href)="(?!data:,")/)
  })

  it('answers a HEAD, and nothing new to who has it already', async () => {
    const response = await get(`/${name}/`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
    expect((await get(`/${name}/`, { headers })).status).toBe(304)
  })

  it('is where its name leads, and knows no other path and no other method', async () => {
    const leads = await get(`/${name}`)
    expect([leads.status, leads.headers.get('location')]).toEqual([302, `${name}/`])
    for (const path of [`/${name}/index.html`, `/${name}.html`, `/${name}/assets/`, `/${name}/assets/nothing.js`])
      expect((await get(path)).status, path).toBe(404)
    expect((await get(`/${name}/`, { method: 'POST' })).status).toBe(405)
  })
})

describe.skipIf(!chromium)('the invitation in a browser', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedChromium(chromium)
  })
  afterAll(() => closeContexts(browser))
  afterEach(() => {
    aheadMs = 0
  })
  const visit = useVisits({
    browser: () => browser,
    url: () => server.url,
    usually: { camera: false, locale: 'en-GB' },
  })
  const open = openBy(visit)

  it('has a page for every link that opens nothing, and leads a link of another kind to its page', async () => {
    const { page } = await visit()
    const openAs = async (link: string, text: string, at = 'invitation') => {
      await page.goto('about:blank')
      await page.goto(link)
      await onPage(page, text)
      expect(page.url()).toBe(`${server.url}/${at}/`)
    }
    const [moved, revoked, over] = [await invite(team), await invite(team), await interviewed(team)]
    await openAs(`${server.url}/invitation/`, 'This page opens with a link')
    await openAs(`${server.url}/invitation/#${moved.sessionId}`, 'This link does not work')
    await openAs(`${moved.link.slice(0, -4)}aaaa`, 'This link does not work')
    await openAs(over.link, 'The interview has ended')
    await page.getByText('The application is connected – not recorded').waitFor()
    const { sessionId } = moved
    await portal(team, 'portal.scheduling.set', { id: sessionId }, { ...appointment, durationMinutes: 30 })
    await openAs(moved.link, 'There is a newer message for you')
    const fresh = await mailedLink(server, sessionId, 'invitation')
    expect(fresh.token).not.toBe(moved.token)
    await openAs(fresh.link, invited)
    await openAs(fresh.link.replace('/invitation/', '/room/'), invited)
    await portal(team, 'portal.invitations.revoke', { id: revoked.sessionId, invitationId: revoked.invitationId }, {})
    await openAs(revoked.link, 'This invitation was withdrawn')
    const requests = await requestsLink(team, over)
    await openAs(requests.link.replace('/requests/', '/invitation/'), 'Your interview data', 'requests')
    const room = await newRoom(server, server.client(server.orgs[0].sandboxKey))
    await openAs(room.link.replace('/room/', '/requests/'), 'May this camera take pictures?', 'room')
    const brief = await invite(team, {}, { schedule: undefined })
    aheadMs = credentialLifetimeMs * 8
    await openAs(brief.link, 'This invitation has expired')
  })

  it('notices while it is open that its link has ended, and keeps what was being written', async () => {
    const one = await invite(team)
    const { page } = await open(one.link)
    await titleOn(page, invited)
    await unfold(page, 'Help: write to the team')
    await page.getByLabel('Your message').fill('Which door?')
    const { invitationId, sessionId } = one
    await portal(team, 'portal.invitations.resend', { id: sessionId, invitationId }, {})
    await comeBack(page)
    await titleOn(page, 'There is a newer message for you')
    // Pasted into the same tab, which loads nothing by itself.
    await page.evaluate(`location.hash = '${new URL((await mailedLink(server, sessionId, 'invitation')).link).hash}'`)
    await titleOn(page, invited)
    expect(await page.getByLabel('Your message').inputValue()).toBe('Which door?')
    expect(page.url()).toBe(`${server.url}/invitation/`)
  })

  it('leads to the requests of its session, for which the invitation is exchanged', async () => {
    const one = await interviewed(team)
    const { page } = await open(one.link)
    await unfold(page, 'Your data')
    await pressOn(page, 'See your data, or ask for it')
    await titleOn(page, 'Your interview data')
    expect(page.url()).toBe(`${server.url}/requests/`)
    await page.goBack()
    await titleOn(page, 'The interview has ended')
  })

  it('works behind a proxy that gives the service a path of its own', async () => {
    const one = await invite(team)
    const { page, seen } = await visit()
    await page.route('**/prefix/**', async (route) => {
      const url = route.request().url().replace('/prefix/', '/')
      await route.fulfill({ response: await route.fetch({ url, maxRedirects: 0 }) })
    })
    await page.goto(one.link.replace(server.url, `${server.url}/prefix`))
    await titleOn(page, invited)
    await page.locator('li.done', { hasText: 'You opened this invitation' }).waitFor()
    await unfold(page, 'Your data')
    await pressOn(page, 'See your data, or ask for it')
    await titleOn(page, 'Your interview data')
    expect(page.url()).toBe(`${server.url}/prefix/requests/`)
    expect(seen.requests.filter((url) => !url.startsWith(`${server.url}/prefix/`) && !url.startsWith('data:'))).toEqual(
      [],
    )
  })
})
