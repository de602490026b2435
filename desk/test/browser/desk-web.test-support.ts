import type { Page } from 'playwright-core'
import { freePort } from '../../../server/test/test-support/guide-server.ts'
import { onPage, startInviting, type Team } from '../../../server/test/test-support/link-pages.ts'
import { type ServerOptions, testPassword } from '../../../server/test/test-support/server.ts'

/** A server at the address that it believes to have: the cookies of a sign-in are of that address. */
export const startDesk = async (now?: () => number, overrides?: ServerOptions['overrides']): Promise<Team> => {
  const port = await freePort()
  return startInviting(now, { PORT: String(port), BASE_URL: `http://localhost:${port}` }, overrides)
}

/** Signs in on the page that is open, by keyboard alone. */
export const signInOn = async (page: Page, email: string): Promise<void> => {
  await onPage(page, 'Sign in to your account')
  await page.getByLabel('Your e-mail address').focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(testPassword)
  await page.keyboard.press('Enter')
}

/** Goes on with the keyboard until what has it is called so, and presses it. */
export const tabTo = async (page: Page, name: string, key = 'Enter'): Promise<void> => {
  for (let steps = 0; steps < 150; steps += 1) {
    await page.keyboard.press('Tab')
    const text: string = await page.evaluate('document.activeElement?.textContent ?? ""')
    if (text.trim() === name) return page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not come to ${name}`)
}

export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** What the tab keeps of its own. */
export const storedIn = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])')
