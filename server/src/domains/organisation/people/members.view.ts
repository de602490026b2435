import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { MemberRow } from './people.types.ts'

export const heldRoleView = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

/** A member as the organisation sees them. */
export const memberView = (member: MemberRow) => ({
  id: member.id,
  userId: member.userId,
  email: member.email,
  name: member.name,
  role: member.role,
  customRole: heldRoleView(member.customRoleId, member.customRoleName),
  active: member.active === 1,
  lastSeenAt: isoOrNull(member.lastSeenAt),
  deactivatedAt: isoOrNull(member.deactivatedAt),
  createdAt: iso(member.createdAt),
})
