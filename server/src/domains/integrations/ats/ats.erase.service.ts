import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { eraseLink } from './syncs.store.ts'

/** Whom a session was of at an applicant tracking system. That, when and how it was told stays. */
export const atsEraser = (): DomainEraser => ({
  order: 170,
  async erase({ tx, scope }, sessionId) {
    if (scope.environment === 'live') await eraseLink(tx, scope.orgId, sessionId)
    return undefined
  },
})
