/** Every text of the desk’s rooms of what candidates ask for. */
export const texts = {
  requestsSection: 'Requests',
} as const
