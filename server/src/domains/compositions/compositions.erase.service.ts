import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { enqueueRemoval } from '../evidence/evidence.erase.service.ts'
import { compositionIdOf } from './compositions.id.ts'
import { eraseRow, findCompositionForUpdate } from './compositions.store.ts'

/**
 * Erases the film of a locked session: its header goes in this transaction, which shreds it, its bytes by a job. A render
 * that runs finds itself unwanted and ends. Again: nothing happens.
 */
export const eraseSessionComposition = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  sessionId: string,
): Promise<void> => {
  const id = compositionIdOf(sessionId)
  const row = await findCompositionForUpdate(tx, scope, id)
  if (!row) return
  const storeKeys = [row.storeKey, row.pendingKey].filter((key) => key !== null)
  if (storeKeys.length > 0) await enqueueRemoval(app, tx, scope, { storeKeys })
  await eraseRow(tx, scope, id)
}
