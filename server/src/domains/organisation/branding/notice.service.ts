import type { Notice } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { dataProtectionOf } from '../orgs/data-protection.service.ts'
import { getBrand } from './branding.service.ts'

/** What candidates read of an organisation, under the name that they know it by. */
export const noticeOf = async (call: Needs<'reader'>, orgId: string): Promise<Notice> => {
  const { name, config } = await getBrand(call, orgId)
  return { ...(await dataProtectionOf(call, orgId)).settings, org: config.displayName ?? name }
}
