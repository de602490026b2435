import type { Tx } from '../../platform/db/types.ts'
import { windowMs } from '../../platform/rate/rate-counter.ts'
import { deleteWindowsBefore } from '../../platform/rate/rate-windows.store.ts'
import { deleteOrphans } from './places.store.ts'
import { forgetAbsent } from './presence.store.ts'
import { absentAfterMs } from './presence.ts'
import { deleteBlobsBefore } from './shared-blobs.store.ts'

/** Deletes what processes that are gone, and minutes that are over, left in the memory that all share. */
export const forgetShared = async (tx: Tx, now: number): Promise<void> => {
  await deleteWindowsBefore(tx, Math.floor(now / windowMs) - 1)
  await deleteBlobsBefore(tx, now)
  await deleteOrphans(tx, now - 4 * absentAfterMs)
  await forgetAbsent(tx, now - 4 * absentAfterMs)
}
