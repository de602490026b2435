import type { SessionEraser } from '../../../kernel/session-eraser.ts'
import { eraseLink } from './syncs.store.ts'

/** Whom a session was of at an applicant tracking system. That, when and how it was told stays. */
export const atsEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    if (scope.environment === 'live') await eraseLink(tx, scope.orgId, sessionId)
    return undefined
  },
}
