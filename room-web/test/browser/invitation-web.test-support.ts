import type { Page } from 'playwright-core'
import { keepApplicationLinks } from '../../../server/test/test-support/link-pages.ts'
import type { useVisits } from '../../../server/test/test-support/visits.ts'

export const invited = 'You are invited to an interview'

type Visit = ReturnType<typeof useVisits>

/** Somebody who opens the link; what leads on to the application is kept instead of followed. */
export const openBy = (visit: Visit) => async (link: string, options?: Parameters<Visit>[0]) => {
  const made = await visit(options)
  const applicationLinks = await keepApplicationLinks(made.page)
  await made.page.goto(link)
  return { ...made, applicationLinks }
}

/** Unfolds a part of the page. */
export const unfold = (page: Page, title: string) => page.locator('summary', { hasText: title }).click()

/** As when somebody comes back to the tab: the page asks at once what is new. */
export const comeBack = (page: Page) => page.evaluate("dispatchEvent(new Event('online'))")
