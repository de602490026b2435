import type { Browser } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { closeContext } from './browser.ts'
import { type RoomVisit, type VisitOptions, visitRoom } from './room-pages.ts'

interface Around {
  readonly browser: () => Browser
  /** Of the server; every request of a page must go there. */
  readonly url: () => string
  /** Of a visit that asks for nothing else. */
  readonly usually?: VisitOptions
}

/** Tests of a lost network, of refusals and of pages that fail to draw make the browser itself write these. */
const expected = /Failed to load resource|net::ERR_|ERR_FAILED|WebSocket connection to|not to be drawn/

/** Browsers of single people, closed after each test, none of which may have written an error on its console or called elsewhere. */
export const useVisits = ({ browser, url, usually = {} }: Around): ((options?: VisitOptions) => Promise<RoomVisit>) => {
  const visits: RoomVisit[] = []
  afterEach(async () => {
    for (const { context, seen } of visits.splice(0)) {
      await closeContext(context)
      expect(seen.errors.filter((text) => !expected.test(text))).toEqual([])
      expect(seen.requests.filter((to) => !/^(?:blob|data):/.test(to) && !to.startsWith(url()))).toEqual([])
    }
  })
  return async (options = {}) => {
    const made = await visitRoom(browser(), { ...usually, ...options })
    visits.push(made)
    return made
  }
}
