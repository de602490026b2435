import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { pressOn } from '../../../server/test/test-support/pages.ts'
import { addPerson, join } from '../../../server/test/test-support/portal.ts'
import { ldapBody, ssoDomain, verifyDomain } from '../../../server/test/test-support/sso.ts'
import { describeDesk, theirsAt } from './desk-use.test-support.ts'
import { tabTo } from './desk-web.test-support.ts'

/** Marks what the keyboard must reach inside the forms: of a group of radio buttons the chosen one. Answers how many. */
const markControls = `(() => {
  const all = [...document.querySelectorAll('form :is(input, select, textarea, button, a[href])')]
  const wanted = all.filter((one) => !one.disabled && one.checkVisibility() && (one.type !== 'radio' || one.checked))
  wanted.forEach((one, n) => { one.dataset.control = String(n) })
  return wanted.length
})()`

/** Which of the marked the keyboard is at, whether that is seen, and whether there is anything that says what it is. */
const atControl = `(() => {
  const one = document.activeElement
  const { outlineStyle, boxShadow } = getComputedStyle(one)
  const label = one.labels?.[0]?.textContent || one.getAttribute('aria-label') || one.textContent
  return { control: one.dataset.control, seen: outlineStyle !== 'none' || boxShadow !== 'none', label: label.trim() }
})()`

interface At {
  readonly control: string | undefined
  readonly seen: boolean
  readonly label: string
}

// A server of its own: the domain of a single sign-on is of the whole installation.
describeDesk('the settings in a browser', { own: true }, ({ team, url, open: openDesk }) => {
  const open = (path: string): Promise<Page> => openDesk(path, 'owner')

  it('are reached and left by keyboard alone, each field in its order, seen and with a name', async () => {
    const page = await open('organisation/retention')
    for (const [path, title] of [
      ['organisation/retention', 'Retention'],
      ['organisation/holds', 'Legal holds'],
      ['organisation/storage', 'Storage'],
      ['connections/sso', 'Single sign-on'],
      ['connections/brand', 'Brand'],
      ['connections/hiring-systems', 'Hiring systems'],
      ['connections/chat', 'Chat'],
    ] as const) {
      await page.goto(`${url()}/desk/${path}`)
      await onPage(page, title)
      await page.locator('form button').first().waitFor()
      const wanted: number = await page.evaluate(markControls)
      expect(wanted, path).toBeGreaterThan(0)
      await page.getByRole('heading', { level: 1 }).focus()
      const reached: At[] = []
      for (let steps = 0; steps < 150 && reached.length < wanted; steps += 1) {
        await page.keyboard.press('Tab')
        const here: At = await page.evaluate(atControl)
        if (here.control !== undefined) reached.push(here)
      }
      expect(
        reached.map(({ control }) => control),
        path,
      ).toEqual(Array.from({ length: wanted }, (_, n) => String(n)))
      expect(reached.filter(({ seen, label }) => !seen || label === '')).toEqual([])
      // It is no trap either: what comes after the last field is none of them.
      await page.keyboard.press('Tab')
      expect(((await page.evaluate(atControl)) as At).control, path).toBe(undefined)
    }
  })

  it('of a hold ask, do it and say so by keyboard, and tell the second of two owners', async () => {
    const page = await open('organisation/holds')
    await onPage(page, 'Legal holds')
    await page.getByText('There is no hold on the whole organisation.').waitFor()
    await page.getByLabel('Reason for the organisation’s hold').focus()
    await page.keyboard.type('Case 12')
    await portal(team, 'portal.retention.hold', {}, { on: true, reason: 'Faster' })
    const place = async () => {
      await tabTo(page, 'Place the hold on the organisation')
      await tabTo(page, 'Place the hold on the organisation')
    }
    await place()
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    expect(await theirsAt(page, 'Reason').values()).toEqual(['Case 12', 'Faster'])
    expect(await page.getByLabel('Reason for the organisation’s hold').inputValue()).toBe('Case 12')
    expect((await portal(team, 'portal.retention.get', {})).legalHold?.reason).toBe('Faster')
    await onPage(page, 'Legal holds')
    await page.getByLabel('Reason for the organisation’s hold').focus()
    await place()
    await page.getByText('The hold is on.').waitFor()
    await page.getByText('Case 12', { exact: true }).waitFor()
    expect((await portal(team, 'portal.retention.get', {})).legalHold?.reason).toBe('Case 12')
  })

  it('of the hold of one interview tell the second of two, too, and show what the first wrote', async () => {
    const { data } = await team.api.call('sessions.create', { body: { candidateLabel: 'Held' } })
    const page = await open(`organisation/holds?session=${data.id}`)
    await page.getByText('There is no hold on this interview alone.').waitFor()
    await page.getByLabel('Reason for the interview’s hold').fill('Case 13')
    const held = { sessionId: data.id }
    await portal(team, 'portal.retention.sessions.hold', held, { on: true, reason: 'A court asked.' })
    const place = async () => {
      await pressOn(page, 'Place the hold on the interview')
      await page.getByRole('dialog').getByRole('button', { name: 'Place the hold on the interview' }).click()
    }
    await place()
    await page.getByText(/^Somebody else has saved a change since you began/).waitFor()
    await page.getByText('This hold is on now.').waitFor()
    expect(await theirsAt(page, 'Reason').values()).toEqual(['Case 13', 'A court asked.'])
    expect(await portal(team, 'portal.retention.sessions.holdOf', held)).toMatchObject({
      version: 1,
      legalHold: { reason: 'A court asked.' },
    })
    await place()
    await page.getByText('The hold is on.').waitFor()
    expect(await portal(team, 'portal.retention.sessions.holdOf', held)).toMatchObject({
      version: 2,
      legalHold: { reason: 'Case 13' },
    })
  })

  it('name everybody whose password would end, and how many they are, however many there are', async () => {
    await portal(team, 'portal.sso.put', {}, ldapBody)
    await verifyDomain(team.server, team.orgId, ssoDomain)
    for (let n = 0; n < 120; n += 1) {
      const { userId } = await addPerson(team.server, `person${n}@${ssoDomain}`)
      await join(team.server, userId, team.orgId, 'interviewer')
    }
    const page = await open('connections/sso')
    await page.getByText('Members who would have no password here once it is required: 120 of').waitFor()
    const names = new Set<string>()
    for (const range of ['1 to 50', '51 to 100', '101 to 120']) {
      await page.getByText(`Members ${range} of 120 are shown.`).waitFor()
      for (const name of await page
        .getByRole('listitem')
        .filter({ hasText: `@${ssoDomain}` })
        .allTextContents())
        names.add(name)
      if (range !== '101 to 120') await page.getByRole('button', { name: 'Next page' }).click()
    }
    expect(names.size).toBe(120)
    await onPage(page, 'Single sign-on')
  })

  it('of what Greenhouse asks for name no stage, and keep what is set there', async () => {
    const one = await portal(
      team,
      'portal.ats.connect',
      {},
      { provider: 'greenhouse_assessment', label: 'Tests', settings: { push: ['ended'] } },
    )
    const page = await open(`connections/hiring-systems/${one.id}`)
    await page.getByText('Greenhouse asks for each interview as a test.').waitFor()
    await page.getByLabel('What an interview is called by').waitFor()
    expect(await page.getByLabel('Stages that make an interview').count()).toBe(0)
    await onPage(page, 'Hiring system')
  })
})
