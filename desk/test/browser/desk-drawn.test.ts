import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { sentRequest } from '../../../server/test/test-support/candidate-requests.ts'
import { type Invited, interviewed, onPage, playedInterview } from '../../../server/test/test-support/link-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, overflowOf } from '../../../server/test/test-support/room-pages.ts'
import { frontWidth } from './desk-player.test-support.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'

/** Texts of which a part cannot be seen, because the box around them hides it. */
const clippedOn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].filter((element) => {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const { overflowX, overflowY } = getComputedStyle(element)
    return text && !element.closest('.unseen, select') &&
      ((overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1))
  }).map(({ textContent }) => textContent)`)

/** Words that are broken though they are shorter than the page is wide. */
const brokenOn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, a, th, label, summary')].flatMap((element) =>
    [...element.childNodes].filter((node) => node.nodeType === 3).flatMap((node) =>
      [...node.data.matchAll(/[\\p{L}\\p{M}\\d:]{2,14}/gu)].filter(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      }).map(([word]) => word)))`)

describeDesk('the desk as it is drawn for whoever needs it otherwise', {}, ({ team, url, open: openDesk }) => {
  let played: Invited
  let requestId = ''
  beforeAll(async () => {
    const sandbox = { ...team, api: team.server.client(team.server.orgs[0].sandboxKey) }
    played = await playedInterview(sandbox, {}, { config: { audio: { transcript: true } } }, 'everything_goes_wrong')
    const { sessionId } = await interviewed(team)
    const scope = { orgId: team.orgId, environment: 'live' } as const
    requestId = (await sentRequest(team.server, scope, sessionId, 'access')).id
  }, 120_000)
  const rooms = () =>
    [
      ['', 'Today'],
      ['interviews', 'Interviews'],
      ['interviews/new', 'Schedule an interview'],
      [`interviews/${played.sessionId}`, 'Interview'],
      ['live', 'Live interviews'],
      ['reviews', 'Reviews'],
      [`review/${played.sessionId}`, 'Review'],
      ['requests', 'Requests'],
      [`requests/${requestId}`, 'Request of a candidate'],
    ] as const
  const drawn = async (page: Page, path: string, title: string) => {
    await page.goto(`${url()}/desk/${path}`)
    await titleOn(page, title)
    await page.getByText('Loading …').first().waitFor({ state: 'detached' })
    if (title !== 'Review') return
    await page.getByRole('button', { name: 'Explain this moment' }).first().waitFor()
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
  }

  it('has all its words with text of 200 %, and scrolls in one direction alone', async () => {
    const page = await openDesk('', 'owner')
    for (const [path, title] of rooms()) {
      await drawn(page, path, title)
      await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
      expect(await overflowOf(page), title).toBeLessThanOrEqual(0)
      expect(await clippedOn(page), title).toEqual([])
    }
  })

  it('breaks no word on a page as narrow as a phone, in either language', async () => {
    const page = await openDesk('', 'owner', narrow)
    for (const [path, title] of rooms()) {
      await drawn(page, path, title)
      expect(await brokenOn(page), title).toEqual([])
      await pressOn(page, 'हिन्दी')
      expect(await overflowOf(page), title).toBeLessThanOrEqual(0)
      expect(await brokenOn(page), title).toEqual([])
      await pressOn(page, 'English')
    }
  })

  it('moves nothing for whoever wants no motion', async () => {
    const page = await openDesk('', 'owner')
    for (const [path, title] of rooms()) {
      await drawn(page, path, title)
      const moving = 'document.getAnimations().map((one) => one.effect?.target?.className ?? "")'
      expect(await page.evaluate(moving), title).toEqual([])
      expect(await page.evaluate('getComputedStyle(document.documentElement).scrollBehavior')).toBe('auto')
    }
  })

  it('tells gaps from what was recorded in the colours that a system forces, and has nothing that axe objects to', async () => {
    const page = await openDesk('', 'owner')
    for (const [path, title] of rooms()) {
      await drawn(page, path, title)
      await page.emulateMedia({ forcedColors: 'active' })
      // axe reads the colour of a text before the system has forced it, so contrast is the system's here.
      const faults = (await accessibilityFaults(page)).filter((fault) => !/^\w+ color-contrast/.test(fault))
      expect(faults, title).toEqual([])
      await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
      if (title !== 'Review') continue
      const fills = (await page.evaluate(`['observed', 'gap'].flatMap((state) =>
        ['.lane', '.axis'].map((at) => getComputedStyle(document.querySelector(at + ' .strip .' + state)).fill))`)) as string[]
      const [lane, axis, laneGap, axisGap] = fills
      const ground: string = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(new Set([lane, laneGap]).size, fills.join(' ')).toBe(2)
      expect(new Set([axis, axisGap]).size, fills.join(' ')).toBe(2)
      expect([lane, axis]).not.toContain(ground)
      const cursor = await page.evaluate('getComputedStyle(document.querySelector(".axis .cursor")).backgroundColor')
      expect(cursor).not.toBe(ground)
    }
    await page.emulateMedia({ forcedColors: 'none' })
    await onPage(page, 'Request of a candidate')
  })
})
