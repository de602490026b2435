import { deletePayloads } from './audit/audit.store.ts'
import type { SessionEraser } from './session-eraser.ts'

/** The rows of the chain stay as they are, and verify as before: who did what, when. What was said beside them goes. */
export const auditEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await deletePayloads(tx, scope.orgId, sessionId)
    return undefined
  },
}
