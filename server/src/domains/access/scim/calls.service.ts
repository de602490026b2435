import type { Needs } from '../../../kernel/call.ts'
import { lastUsesOf, provisioning, requestsOf } from '../../../kernel/recent-requests/recent-requests.ts'
import { iso } from '../../../kernel/time.ts'

/** What the identity provider asked for lately, and with which result. */
export const readScimCalls = async (call: Needs<'clock' | 'reader' | 'scope'>) => {
  const { orgId } = call.scope
  const usedAt = (await lastUsesOf(call, orgId, [provisioning])).get(provisioning)
  const calls = await requestsOf(call, { orgId, credentialId: provisioning })
  return {
    lastUsedAt: usedAt === undefined ? null : iso(usedAt),
    items: calls.map(({ at, durationMs, method, path, status, requestId, errorCode, reason }) => ({
      at: iso(at),
      method,
      path,
      status,
      ms: durationMs,
      requestId,
      errorCode,
      reason,
    })),
  }
}
