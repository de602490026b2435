import { DriverError } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import { createPageLink, type PageLink } from './page-link.ts'
import type { CapturePage, CapturePages, PageDisplay } from './page-port.ts'

/** How long is waited for a page that is being made. */
const pageMs = 10_000
/** And for one that did not come in that time. */
const latePageMs = 1000

/** The conversation with whichever page lives: one link for each, shared by all drivers. */
export interface PageLinks {
  /** Throws DriverError when there is no page. */
  current(): Promise<PageLink>
  /** Undefined where only the browser knows the displays. */
  displays(): Promise<readonly PageDisplay[] | undefined>
  /**
   * Runs one piece of work after the other: the shell answers a page's request for a display with the display that the
   * command before it names, so that two must not be under way.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** One for each `CapturePages`: two would number their commands alike. */
export const createPageLinks = (pages: CapturePages, clock: Clock): PageLinks => {
  const links = new WeakMap<CapturePage, PageLink>()
  let turn: Promise<unknown> = Promise.resolve()
  let isLate = false
  return {
    current: async () => {
      const come = new AbortController()
      const late = clock.sleep(isLate ? latePageMs : pageMs, come.signal).then(() => undefined)
      try {
        const page = await Promise.race([pages.current(), late])
        isLate = page === undefined
        if (!page) throw new DriverError('driver_failed', 'there is no capture page')
        const link = links.get(page) ?? createPageLink(page, clock)
        links.set(page, link)
        return link
      } finally {
        come.abort()
      }
    },
    displays: async () => pages.displays?.(),
    exclusive: (work) => {
      const mine = turn.then(work)
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}
