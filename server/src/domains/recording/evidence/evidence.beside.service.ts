import type { Needs, Reads } from '../../../kernel/call.ts'
import { type BesideName, openBeside } from '../../../platform/storage/sealed-pack.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { boundEvidence } from './evidence.download.service.ts'

/** What was sent beside an item; undefined where nothing was. Throws `not_found` once the item was erased. */
export const readBeside = async (
  call: Reads & Needs<'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  { item: { id }, name }: { readonly item: { readonly id: string }; readonly name: BesideName },
): Promise<Buffer | undefined> => {
  const { header, smallPlace, levelsPlace } = await boundEvidence(call, id)
  const place = name === 'small' ? smallPlace : levelsPlace
  if (place === null) return undefined
  const identity = await orgIdentity(call, call.scope.orgId)
  return openBeside({ header, identity, name, place }, call.store)
}
