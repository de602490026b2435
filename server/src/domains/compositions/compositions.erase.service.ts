import type { Needs, Writes } from '../../kernel/call.ts'
import { enqueueRemoval } from '../evidence/evidence.erase.service.ts'
import { compositionIdOf } from './compositions.id.ts'
import { eraseRow, findCompositionForUpdate } from './compositions.store.ts'

/**
 * Erases the film of a locked session: its header goes in this transaction, which shreds it, its bytes by a job. A render
 * that runs finds itself unwanted and ends. Again: nothing happens.
 */
export const eraseSessionComposition = async (call: Writes & Needs<'jobs'>, sessionId: string): Promise<void> => {
  const { tx, scope } = call
  const id = compositionIdOf(sessionId)
  const row = await findCompositionForUpdate(tx, scope, id)
  if (!row) return
  const storeKeys = [row.storeKey, row.pendingKey].filter((key) => key !== null)
  if (storeKeys.length > 0) await enqueueRemoval(call, { storeKeys })
  await eraseRow(tx, scope, id)
}
