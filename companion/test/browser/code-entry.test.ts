import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeContexts, findChromium, sharedChromium } from '../../../server/test/test-support/browser.ts'
import { beyondEdges, buildCompanionClient, newPhoneLink } from '../../../server/test/test-support/companion-pages.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { accessibilityFaults, smallTargets } from '../../../server/test/test-support/room-pages.ts'
import { startServer, type TestServer } from '../../../server/test/test-support/server.ts'
import { useVisits } from '../../../server/test/test-support/visits.ts'

const chromium = findChromium('the entry of a code on the phone')

describe.skipIf(!chromium)('the entry of a code on the phone', { timeout: 120_000 }, () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    buildCompanionClient()
    server = await startServer()
    browser = await sharedChromium(chromium)
  })
  afterAll(async () => {
    await closeContexts(browser)
    await server?.stop()
  })
  const visit = useVisits({ browser: () => browser, url: () => server.url, usually: { width: 320, height: 568 } })
  const toCode = async (): Promise<Page> => {
    const { page } = await visit()
    await page.goto(`${server.url}/companion/`)
    await titleOn(page, 'Connect this phone')
    return page
  }
  /** The text of the field with a bar where the caret is. */
  const shown = (page: Page): Promise<string> =>
    page.evaluate(`(({ value, selectionStart, selectionEnd }) =>
      value.slice(0, selectionStart) + '|' + value.slice(selectionEnd))(document.querySelector('input'))`)
  const keys = async (page: Page, ...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }

  it('groups what is typed and keeps the caret where the hand is', async () => {
    const page = await toCode()
    const field = page.getByLabel('Code', { exact: true })
    await field.focus()
    await page.keyboard.type('k7qfo')
    expect(await shown(page)).toBe('K7QF-0|')
    await page.keyboard.type('m9x')
    expect(await shown(page)).toBe('K7QF-0M9X|')
    await keys(page, 'ArrowLeft', 'ArrowLeft', 'Backspace')
    expect(await shown(page)).toBe('K7QF-0|9X')
    await page.keyboard.type('h')
    expect(await shown(page)).toBe('K7QF-0H|9X')
    await keys(page, 'Home', 'Delete')
    expect(await shown(page)).toBe('|7QF0-H9X')
    await page.keyboard.type('ab')
    expect(await shown(page)).toBe('AB|7Q-F0H9X')
    await keys(page, 'End', 'Backspace', 'Backspace', 'Backspace', 'Backspace', 'Backspace')
    expect(await shown(page)).toBe('AB7Q|')
    await keys(page, 'Control+a')
    await page.keyboard.insertText(' k7qf 2m9x ')
    expect(await shown(page)).toBe('K7QF-2M9X|')
  })

  it('is described to a screen reader, and marked when the code is none', async () => {
    const page = await toCode()
    const field = page.getByRole('textbox', { name: 'Code', description: /Two groups of four/ })
    expect(await field.getAttribute('aria-invalid')).not.toBe('true')
    await field.fill('K7QF')
    await pressOn(page, 'Connect')
    await page.getByText('A code has eight letters and digits').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await beyondEdges(page)).toBeLessThanOrEqual(0)
    expect(await smallTargets(page)).toEqual([])
  })

  it('connects by a pasted link, and by a code in small letters with the enter key', async () => {
    const api = server.client(server.orgs[0].sandboxKey)
    const [first, second] = [await newPhoneLink(server, api), await newPhoneLink(server, api)]
    const pasted = await toCode()
    await pasted.getByLabel('Code', { exact: true }).focus()
    await pasted.keyboard.insertText(first.link)
    expect(await shown(pasted)).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}\|$/)
    await pressOn(pasted, 'Connect')
    await titleOn(pasted, 'May this phone show your desk?')
    const typed = await toCode()
    await typed.getByLabel('Code', { exact: true }).focus()
    await typed.keyboard.type(second.code.toLowerCase().replace('-', ' '))
    await typed.keyboard.press('Enter')
    await titleOn(typed, 'May this phone show your desk?')
  })
})
