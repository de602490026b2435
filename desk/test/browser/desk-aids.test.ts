import { aidText } from '@integrity/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import {
  begin,
  capture,
  invite,
  onPage,
  requestsLink,
  type Team,
} from '../../../server/test/test-support/link-pages.ts'
import { titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { accessibilityFaults } from '../../../server/test/test-support/room-pages.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'
import { newClientId } from '../../../server/test/test-support/world.ts'
import { signInOn, startDesk } from './desk-web.test-support.ts'

const chromium = findChromium('declared aids in a review')
const minute = 60_000

describe.skipIf(!chromium)('declared aids in a review', { timeout: 120_000 }, () => {
  let team: Team
  let browser: Browser
  let ahead = 0
  let sessionId: string
  beforeAll(async () => {
    team = await startDesk(() => Date.now() + ahead)
    browser = await sharedChromium(chromium)
    sessionId = await withBreak()
  })
  afterAll(async () => {
    await closeContexts(browser)
    await team?.server.stop()
  })
  const usually = { camera: false, locale: 'en-GB' }
  const visit = useVisits({ browser: () => browser, url: () => team.server.app.config.baseUrl, usually })

  /** An interview with an agreed keyboard and a break, and a helper that nobody has answered. */
  const withBreak = async (): Promise<string> => {
    const config = { aids: { offered: ['on_screen_keyboard', 'breaks'], breaks: { count: 2, minutes: 5 } } }
    const one = await invite(team, {}, { config })
    const { token } = await requestsLink(team, one)
    const aids = [
      { aid: 'on_screen_keyboard' as const },
      { aid: 'breaks' as const, breaks: { count: 2, minutes: 5 } },
      { aid: 'helper' as const, detail: 'My sister' },
    ]
    await team.server.client(token).call('candidateRequests.aids', { body: { aids } })
    await begin(team, one)
    await capture(team, one)
    const start = Date.now() + ahead
    const at = (minutes: number) => new Date(start + minutes * minute).toISOString()
    ahead += 20 * minute
    const base = { source: 'lanes', observedAt: at(19) }
    const span = { lane: 'screen' as const, fromAt: at(5), toAt: at(10), reason: 'break' as const }
    const whole = { lane: 'screen' as const, fromAt: at(0), toAt: at(19), expectedSeconds: 1140, observedSeconds: 1140 }
    const events = [
      { ...base, clientId: newClientId(), kind: 'lane.gap' as const, data: span },
      { ...base, clientId: newClientId(), kind: 'lane.coverage' as const, data: whole },
    ]
    const params = { id: one.sessionId }
    await team.server.client(one.agentJoinToken).call('agent.events.ingest', { params, body: { events } })
    await team.api.call('sessions.end', { params })
    await team.server.processAll()
    return one.sessionId
  }
  const open = async (): Promise<Page> => {
    const { page } = await visit(usually)
    const { email } = await addMember(team.server, 'reviewer')
    await page.goto(`${team.server.app.config.baseUrl}/desk/review/${sessionId}`)
    await signInOn(page, email)
    return page
  }

  it('are in the words of the candidate, with their answers, and an agreed break has its name for who cannot see it', async () => {
    const page = await open()
    await onPage(page, 'Review')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Aids and breaks' }) })
    await section.getByText('agreed', { exact: true }).first().waitFor()
    const { data } = await team.api.call('sessions.report', { params: { id: sessionId } })
    for (const { text } of data.aids) await section.getByText(text).waitFor()
    await section.getByText('declared, not answered').waitFor()
    await section.getByText('Breaks that were agreed: 2, of up to 5 minutes each.').waitFor()
    await section.getByText('In the candidate’s words: My sister').waitFor()
    const strip = page.getByRole('img', { name: /^Screen: .*Agreed breaks taken: 1\./ })
    await strip.waitFor()
    await expect.poll(() => strip.locator('rect.agreed_break').count()).toBe(1)
    const lane = page.locator('.lane', { has: strip })
    await lane.locator('summary').focus()
    await page.keyboard.press('Enter')
    await lane.getByText(/: agreed break$/).waitFor()
    await onPage(page, 'Review')
  })

  it('are in Hindi for who reads the desk in Hindi, in the sentences of the candidate’s page', async () => {
    const page = await open()
    await titleOn(page, 'Review')
    await page.getByRole('heading', { name: 'Aids and breaks' }).waitFor()
    await page.getByRole('button', { name: 'हिन्दी' }).click()
    await page.getByRole('heading', { name: 'सहायक साधन और विराम' }).waitFor()
    for (const aid of ['on_screen_keyboard', 'breaks', 'helper'] as const)
      await page.getByText(aidText(aid, 'hi')).waitFor()
    await page.getByRole('img', { name: /लिए गए सहमत विराम: 1।/ }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
