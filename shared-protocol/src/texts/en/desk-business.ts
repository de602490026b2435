/** Every text of the desk’s rooms of storage, usage, audit, data processing and the plan. */
export const texts = {
  businessSection: 'Storage',
} as const
