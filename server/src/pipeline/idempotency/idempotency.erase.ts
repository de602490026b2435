import type { SessionEraser } from '../../kernel/session-eraser.ts'
import { eraseAnswers } from './idempotency.store.ts'

/** That a key was used stays for its day, so that it does nothing twice; what was answered goes. */
export const idempotencyEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await eraseAnswers(tx, scope.orgId, sessionId)
    return undefined
  },
}
