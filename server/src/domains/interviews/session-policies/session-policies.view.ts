import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { PolicyRow, PolicyVersionRow } from './session-policies.types.ts'

/** One shape for lists and single policies. */
export const policyView = (policy: PolicyRow) => ({
  ...policy,
  createdAt: iso(policy.createdAt),
  updatedAt: iso(policy.updatedAt),
  archivedAt: isoOrNull(policy.archivedAt),
})

export const policyVersionView = (version: PolicyVersionRow) => ({ ...version, createdAt: iso(version.createdAt) })
