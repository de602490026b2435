import type { TimePort } from '@integrity/shared-ui/session/time-port'
import type { PagePort } from '@integrity/shared-ui/session/visit'

export interface PollOptions {
  /** Answers whether there will be anything new; false ends it. What it throws is tried again at the next turn. */
  readonly ask: () => Promise<boolean>
  readonly everyMs: number
  readonly time: Pick<TimePort, 'after'>
  readonly page: PagePort
}

export interface Poll {
  /** Asks without waiting for the next turn. */
  readonly now: () => void
  readonly stop: () => void
}

/** Asks at once and then at an interval, as long as somebody sees the page. */
export const pollWhileVisible = ({ ask, everyMs, time, page }: PollOptions): Poll => {
  let over = false
  let asking = false
  let cancel = () => {}
  const turn = async (): Promise<void> => {
    cancel()
    if (over || asking || !page.visible()) return
    asking = true
    const goesOn = await ask().catch(() => true)
    asking = false
    if (!goesOn) over = true
    if (!over) cancel = time.after(everyMs, () => void turn())
  }
  const leave = page.onReturn(() => void turn())
  void turn()
  return {
    now: () => void turn(),
    stop: () => {
      over = true
      leave()
      cancel()
    },
  }
}
