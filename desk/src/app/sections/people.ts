import { later } from '../../parts/later.tsx'
import type { Section } from './section.ts'

export const peopleSections: readonly Section[] = [
  {
    name: 'members',
    title: 'peopleSection',
    may: [],
    page: later(async () => (await import('../../rooms/people/members-page.tsx')).MembersPage),
  },
  {
    name: 'invites',
    title: 'peopleInvitesSection',
    may: ['member.manage'],
    page: later(async () => (await import('../../rooms/people/invites-page.tsx')).InvitesPage),
  },
  {
    name: 'roles',
    title: 'peopleRolesSection',
    may: [],
    page: later(async () => (await import('../../rooms/people/roles-page.tsx')).RolesPage),
  },
  {
    name: 'policies',
    title: 'peoplePoliciesSection',
    may: ['session.view'],
    page: later(async () => (await import('../../rooms/people/policies-page.tsx')).PoliciesPage),
  },
  {
    name: 'retention',
    title: 'peopleRetentionSection',
    may: ['retention.manage'],
    page: later(async () => (await import('../../rooms/people/retention-page.tsx')).RetentionPage),
  },
  {
    name: 'holds',
    title: 'peopleHoldsSection',
    may: ['legal_hold.manage'],
    page: later(async () => (await import('../../rooms/people/holds-page.tsx')).HoldsPage),
  },
]
