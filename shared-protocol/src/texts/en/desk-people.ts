/** Every text of the desk’s rooms of members, roles, policies, retention and holds. */
export const texts = {
  peopleSection: 'Members',
} as const
