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
]
