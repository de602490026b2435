import { deleteSalt } from './audit/audit.commitments.store.ts'
import { deletePayloads } from './audit/audit.store.ts'
import type { SessionEraser } from './session-eraser.ts'

/**
 * The rows of the chain stay as they are, and verify as before: who did what, when. What was said beside them goes, and
 * what commitments were salted with: what stays is committed to again by the row of the erasure.
 */
export const auditEraser: SessionEraser = {
  async erase({ tx, scope }, sessionId) {
    await deletePayloads(tx, scope.orgId, sessionId)
    await deleteSalt(tx, { orgId: scope.orgId, sessionId })
    return undefined
  },
}
