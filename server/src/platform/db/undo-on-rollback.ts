import { CommitFailed } from './errors.ts'

/**
 * Runs a transaction, and undoes what was made ready for it once it is certain that nothing of it stayed. Where COMMIT
 * itself failed, what its rows may count on stays: an orphan can be swept, a lost object cannot be brought back.
 */
export const undoOnRollback = async <T>(transaction: () => Promise<T>, undo: () => Promise<void>): Promise<T> => {
  try {
    return await transaction()
  } catch (error) {
    if (!(error instanceof CommitFailed)) await undo()
    throw error
  }
}
