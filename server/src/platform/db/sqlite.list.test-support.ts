import type { Db } from './types.ts'

/** Resolves when listed transactions are written by the thread, which the first that has to wait starts. */
export const untilListed = async (db: Db): Promise<void> => {
  for (let runs = 0; runs !== 2; ) {
    runs = 0
    const other = db.transact(async () => undefined)
    // It cannot be listed, so it runs a second time; but only where lists are made at all.
    await db.transactListed(async (tx) => {
      runs += 1
      await tx.run('PRAGMA user_version')
    })
    await other
    await new Promise((resolve) => setImmediate(resolve))
  }
}
