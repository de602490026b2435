import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { enqueueRemoval } from '../../recording/evidence/evidence.erase.service.ts'
import { compositionIdOf } from './compositions.id.model.ts'
import { removeOvertaken } from './compositions.leftover.service.ts'
import { eraseRow, findCompositionForUpdate } from './compositions.store.ts'

/**
 * The film of a session: its header goes in this transaction, which shreds it, its bytes by a job. A render that runs finds
 * itself unwanted and ends.
 */
export const compositionsEraser = (): DomainEraser => ({
  order: 70,
  async erase(call, sessionId, now) {
    const { tx, scope } = call
    const id = compositionIdOf(sessionId)
    const row = await findCompositionForUpdate(tx, scope, id)
    if (!row) return undefined
    if (row.storeKey !== null) await enqueueRemoval(call, { storeKeys: [row.storeKey] })
    if (row.pendingKey !== null) await removeOvertaken(call, { pendingKey: row.pendingKey, now })
    await eraseRow(tx, scope, id)
    return undefined
  },
})
