import { iso, isoOrNull } from '../../../kernel/time.ts'
import { heldRoleView } from '../people/members.view.ts'
import { permissionsHeld } from '../people/people.policy.ts'
import type { OwnOrgRow } from '../people/people.types.ts'
import type { DataProtectionRow } from './data-protection.store.ts'
import type { OrgRow } from './orgs.store.ts'
import type { ReviewSettingsRow } from './review-settings.store.ts'
import type { KeptSettings } from './versioned-settings.model.ts'

/** An organisation as one of its members has it. */
export const ownOrgView = (org: OwnOrgRow) => ({
  id: org.orgId,
  name: org.name,
  slug: org.slug,
  membershipId: org.membershipId,
  role: org.role,
  customRole: heldRoleView(org.customRoleId, org.customRoleName),
  permissions: [...permissionsHeld(org)],
  createdAt: iso(org.createdAt),
})

const keptView = <Settings extends object>({ settings, version, updatedAt }: KeptSettings<Settings>) => ({
  ...settings,
  version,
  updatedAt: isoOrNull(updatedAt),
})

export const dataProtectionView = (row: DataProtectionRow) => keptView(row)
export const reviewSettingsView = (row: ReviewSettingsRow) => keptView(row)

/** Nothing sells plans yet. */
export const orgDetailView = (
  { id, name, slug, createdAt, secondFactorRequired }: OrgRow,
  members: { readonly active: number; readonly inactive: number },
  facts: {
    readonly legalHold: boolean
    readonly ssoRequired: boolean
    readonly dataProtection: DataProtectionRow
    readonly review: ReviewSettingsRow
  },
) => ({
  id,
  name,
  slug,
  createdAt: iso(createdAt),
  plan: 'self_hosted' as const,
  members,
  sso: { required: facts.ssoRequired },
  secondFactor: { required: secondFactorRequired === 1 },
  dataProtection: dataProtectionView(facts.dataProtection),
  review: reviewSettingsView(facts.review),
  legalHold: facts.legalHold,
})
