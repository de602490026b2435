import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  type Invited,
  interviewed,
  mailedLink,
  onPage,
  playedInterview,
  portal,
  requestsLink,
  startInviting,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { unzip } from '../../../server/test/test-support/zips.ts'

const chromium = findChromium("what is kept, in its candidate's browser")

describe.skipIf(!chromium)("what is kept, in its candidate's browser", { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  beforeAll(async () => {
    team = await startInviting()
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB', width: 320, height: 640 }
  const visit = useVisits({ browser: () => browser, url: () => team.server.url, usually })

  /** The link and the request of somebody whose copy was approved. */
  const approvedCopy = async (
    of?: Invited,
  ): Promise<{ one: Invited; link: string; token: string; requestId: string }> => {
    const one = of ?? (await interviewed(team))
    const asked = await requestsLink(team, one)
    const client = team.server.client(asked.token)
    const { data } = await client.call('candidateRequests.submit', { body: { kind: 'access' } })
    await portal(team, 'portal.candidateRequests.approve', { requestId: data.id }, {})
    return { one, requestId: data.id, ...(await mailedLink(team.server, one.sessionId, 'requests')) }
  }
  /** Fails for a picture that cannot be shown. */
  const decoded = (page: Page) => page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
  const loaded = (page: Page): Promise<number> =>
    page.evaluate('[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length')

  it('is shown when it is asked for: pictures, for how much there is something, and who opened it', async () => {
    const { link } = await approvedCopy()
    const { page, seen } = await visit()
    await page.route('**/v1/candidate-requests/contents', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { overview: { lanes: object[] } } }
      const lane = { declined: false, expectedSeconds: 600, observedSeconds: 540, heldSeconds: 480, gaps: [] }
      const at = new Date().toISOString()
      body.data.overview.lanes = [
        { ...lane, lane: 'screen', gaps: [{ fromAt: at, toAt: at, reason: 'not_reported' }] },
        { ...lane, lane: 'microphone', declined: true },
        { ...lane, lane: 'camera', expectedSeconds: 0, observedSeconds: 0, heldSeconds: 0 },
        { ...lane, lane: 'system_audio', heldSeconds: 0 },
        { ...lane, lane: 'transcript', heldSeconds: null },
      ]
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(link)
    await onPage(page, 'Your interview data')
    expect(seen.requests.some((url) => url.endsWith('/contents'))).toBe(false)
    await pressOn(page, 'Look at it here')
    await page.getByRole('heading', { name: 'Who opened it, and when' }).waitFor()
    await decoded(page)
    expect(await loaded(page)).toBeGreaterThanOrEqual(2)
    await page.getByText('Your screen', { exact: true }).waitFor()
    // What was reported is never read as what is stored.
    const reported = 'Your device reported 9 of 10 minutes as recorded.'
    await page.getByText(`${reported} What is stored covers 8 minutes.`).waitFor()
    await page.getByText(`${reported} Nothing of it is stored.`).waitFor()
    await page.getByText('Your device reported 9 of 10 minutes.', { exact: true }).waitFor()
    await page.getByText('You declined this.').waitFor()
    expect(await page.getByText('Your camera', { exact: true }).count()).toBe(0)
    await expect.poll(() => page.locator('svg.strip').count()).toBe(3)
    await expect.poll(() => page.locator('svg.strip rect.there').count()).toBe(2)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByText('इसे किसने और कब खोला').waitFor()
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    expect(seen.errors).toEqual([])
  })

  it('plays what was said, so that it can be heard', async () => {
    const sandbox: Team = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    const { link } = await approvedCopy(await playedInterview(sandbox))
    const { page, seen } = await visit()
    await page.goto(link)
    await pressOn(page, 'Look at it here')
    const sound = page.getByLabel(/^Sound that the computer played, /).first()
    await page.getByRole('heading', { name: 'Who opened it, and when' }).waitFor()
    for (let pages = 0; pages < 20 && (await sound.count()) === 0; pages++) {
      const before = await page.locator('figure').count()
      await pressOn(page, 'Show more')
      await expect.poll(() => page.locator('figure').count()).toBeGreaterThan(before)
    }
    // What comes out of the element, as a loudspeaker would get it: the interviewer speaks at the beginning, far above the noise of a room.
    await page.evaluate(`(async () => {
      const audio = document.querySelector('audio[aria-label^="Sound that the computer played, "]')
      const context = new AudioContext()
      const ear = new AnalyserNode(context, { fftSize: 2048 })
      context.createMediaElementSource(audio).connect(ear).connect(context.destination)
      window.loudest = 0
      const samples = new Float32Array(ear.fftSize)
      setInterval(() => {
        ear.getFloatTimeDomainData(samples)
        for (const sample of samples) window.loudest = Math.max(window.loudest, Math.abs(sample))
        window.playedFor = audio.currentTime
      }, 20)
      await context.resume()
      await audio.play()
    })()`)
    await expect.poll(() => page.evaluate<number>('window.playedFor ?? 0'), { timeout: 20_000 }).toBeGreaterThan(2)
    await expect.poll(() => page.evaluate<number>('window.loudest'), { timeout: 20_000 }).toBeGreaterThan(0.2)
    // A player that knows how long a sound is breaks off its own request.
    expect(seen.errors.filter((line) => !line.endsWith(' net::ERR_ABORTED'))).toEqual([])
  })

  it('says by when an answer is due, until there is one', async () => {
    const one = await interviewed(team)
    const { link, token } = await requestsLink(team, one)
    await team.server.client(token).call('candidateRequests.submit', { body: { kind: 'access' } })
    const { page } = await visit()
    await page.goto(link)
    await page.getByText(/An answer is due by .*, a month after you asked\./).waitFor()
  })

  it('can be read without any network out of the ZIP file, whose page shows its pictures and runs nothing', async () => {
    const { one, token, requestId } = await approvedCopy()
    const answer = await fetch(`${team.server.url}/v1/candidate-requests/archive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ requestId, locale: 'en' }),
    })
    const folder = await mkdtemp(path.join(os.tmpdir(), 'integrity-copy-'))
    try {
      for (const [name, bytes] of unzip(Buffer.from(await answer.arrayBuffer()))) {
        await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
        await writeFile(path.join(folder, name), bytes)
      }
      const context = await browser.newContext({ offline: true, viewport: { width: 320, height: 640 } })
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (line) => problems.push(line.text()))
      await page.goto(pathToFileURL(path.join(folder, 'index.html')).href)
      await page.getByText(one.sessionId).first().waitFor()
      await page.evaluate('for (const image of document.images) image.loading = "eager"')
      await decoded(page)
      expect(await loaded(page)).toBe(2)
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(problems).toEqual([])
      await context.close()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
