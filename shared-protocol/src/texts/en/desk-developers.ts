/** Every text of the desk’s rooms of keys, webhooks, events and the sandbox. */
export const texts = {
  developersSection: 'API keys',
} as const
