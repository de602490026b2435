/** How the desk’s subjects of members, roles, policies, retention and holds are called in its list. */
export const texts = {
  peopleSection: 'Members',
  peopleInvitesSection: 'Invites',
  peopleRolesSection: 'Roles',
  peopleRetentionSection: 'Retention',
  peopleHoldsSection: 'Legal holds',
  peoplePoliciesSection: 'Policies',
} as const
