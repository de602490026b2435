import type { Reads } from '../../../kernel/call.ts'
import { knownBundleKeys } from './bundles.store.ts'

/** Those of these stored bundles that an organisation has no row of. */
export const unknownBundles = async (
  { reader }: Pick<Reads, 'reader'>,
  { orgId, ids }: { readonly orgId: string; readonly ids: readonly string[] },
): Promise<string[]> => {
  const keyOf = (id: string) => `${orgId}/${id}`
  const known = new Set(await knownBundleKeys(reader, orgId, ids.map(keyOf)))
  return ids.filter((id) => !known.has(keyOf(id)))
}
