import type { Team } from '../../../server/test/test-support/link-pages.ts'
import { startDesk } from './desk-web.test-support.ts'

/** A desk whose clock is `back.ms` behind, so that an interview can begin hours ago. */
export const startDeskBefore = async (): Promise<{ readonly team: Team; readonly back: { ms: number } }> => {
  const back = { ms: 0 }
  return { team: await startDesk(() => Date.now() - back.ms), back }
}
