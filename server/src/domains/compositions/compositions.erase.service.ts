import type { SessionEraser } from '../../kernel/session-eraser.ts'
import { enqueueRemoval } from '../evidence/evidence.erase.service.ts'
import { compositionIdOf } from './compositions.id.model.ts'
import { eraseRow, findCompositionForUpdate } from './compositions.store.ts'

/**
 * The film of a session: its header goes in this transaction, which shreds it, its bytes by a job. A render that runs finds
 * itself unwanted and ends.
 */
export const compositionsEraser: SessionEraser = {
  async erase(call, sessionId) {
    const { tx, scope } = call
    const id = compositionIdOf(sessionId)
    const row = await findCompositionForUpdate(tx, scope, id)
    if (!row) return undefined
    const storeKeys = [row.storeKey, row.pendingKey].filter((key) => key !== null)
    if (storeKeys.length > 0) await enqueueRemoval(call, { storeKeys })
    await eraseRow(tx, scope, id)
    return undefined
  },
}
