import type { Tx } from '../../platform/db/types.ts'
import type { Needs } from '../call.ts'

const pageRows = 1000

/** Deletes a page in each transaction, until one was not full: what housekeeping takes away holds nobody up. */
export const deleteInPages = async (
  { db }: Needs<'db'>,
  deletePage: (tx: Tx, limit: number) => Promise<number>,
): Promise<void> => {
  while ((await db.transact((tx) => deletePage(tx, pageRows))) === pageRows);
}
