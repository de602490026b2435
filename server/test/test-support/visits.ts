import type { Browser } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { type RoomVisit, type VisitOptions, visitRoom } from './room-pages.ts'

interface Around {
  readonly browser: () => Browser
  /** Of the server; every request of a page must go there. */
  readonly url: () => string
  /** Of a visit that asks for nothing else. */
  readonly usually?: VisitOptions
}

/** Browsers of single people, closed after each test, none of which may have breached its page's policy or called elsewhere. */
export const useVisits = ({ browser, url, usually = {} }: Around): ((options?: VisitOptions) => Promise<RoomVisit>) => {
  const visits: RoomVisit[] = []
  afterEach(async () => {
    for (const { context, seen } of visits.splice(0)) {
      await context.close()
      expect(seen.errors.filter((text) => /Content Security Policy|is not defined|TypeError/i.test(text))).toEqual([])
      expect(seen.requests.filter((to) => !/^(?:blob|data):/.test(to) && !to.startsWith(url()))).toEqual([])
    }
  })
  return async (options = {}) => {
    const made = await visitRoom(browser(), { ...usually, ...options })
    visits.push(made)
    return made
  }
}
