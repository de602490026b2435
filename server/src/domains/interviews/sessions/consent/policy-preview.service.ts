import { agentLanes, consentLocaleFor, type SessionConfig } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import { noticeOf } from '../../../organisation/branding/notice.service.ts'
import { rulesOf } from '../../../organisation/retention-rules/retention-rules.service.ts'
import { readPolicy } from '../../session-policies/session-policies.service.ts'
import { type ConsentDocument, consentDocument } from './consent.model.ts'

interface Draft {
  readonly orgId: string
  readonly config: SessionConfig
  readonly locale: string | undefined
}

/** What the candidate of a new session with this config would read: with the window that would be in force. */
export const previewConsent = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  { orgId, config, locale }: Draft,
): Promise<ConsentDocument> => {
  const { boundDays } = await rulesOf(call, orgId)
  const notice = await noticeOf(call, orgId)
  const told = { ...config, retentionDays: Math.min(config.retentionDays, boundDays), notice }
  return consentDocument(told, agentLanes, consentLocaleFor(locale))
}

/** The same of a saved policy, archived ones included. Throws `not_found`. */
export const previewPolicy = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  { orgId, id, locale }: { readonly orgId: string; readonly id: string; readonly locale: string | undefined },
): Promise<ConsentDocument> => {
  const { policy } = await readPolicy(call, { orgId, id })
  return previewConsent(call, { orgId, config: policy.config, locale })
}
