import { createHash } from 'node:crypto'
import type { Needs } from '../../../kernel/call.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'

/** Who asks, as they look now, and a tag that changes with it: empty where nothing was set. */
export const shownOrg = async (call: Needs<'config' | 'reader' | 'scope'>) => {
  const own = await getOrg(call, call.scope.orgId)
  const org = await brandOf(call, own)
  const isPlain = org.name === own.name && Object.keys(org.brand).length === 0
  const hash = createHash('sha256').update(JSON.stringify(org)).digest('hex')
  return { org, tag: isPlain ? '' : `-${hash.slice(0, 12)}` }
}
