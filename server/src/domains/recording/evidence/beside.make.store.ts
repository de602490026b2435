import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Tx } from '../../../platform/db/types.ts'

/** What was made beside an object, and in which file it is; null where it could not be made, or was there before. */
export interface MadeBeside {
  readonly objectId: string
  readonly smallPlace: string | null
  readonly levelsPlace: string | null
}

/** Names it in the rows of objects that are still there and beside which nobody has put anything; answers beside how many. */
export const nameBeside = async (
  tx: Tx,
  { orgId }: Scope,
  besideId: string,
  made: readonly MadeBeside[],
): Promise<number> => {
  let named = 0
  for (const { objectId, smallPlace, levelsPlace } of made) {
    const { changes } = await tx.run(
      `UPDATE objects SET beside_id = ?, small_place = COALESCE(small_place, ?), levels_place = COALESCE(levels_place, ?)
       WHERE org_id = ? AND object_id = ? AND erased_at IS NULL AND beside_id IS NULL`,
      [besideId, smallPlace, levelsPlace, orgId, objectId],
    )
    named += changes
  }
  return named
}
