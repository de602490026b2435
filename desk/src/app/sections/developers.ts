import { later } from '../../parts/later.tsx'
import type { Section } from './section.ts'

export const developersSections: readonly Section[] = [
  {
    name: 'keys',
    title: 'developersSection',
    may: ['api_key.manage'],
    page: later(async () => (await import('../../rooms/developers/keys-page.tsx')).KeysPage),
  },
  {
    name: 'webhooks',
    title: 'developersWebhooks',
    may: ['webhook.manage'],
    page: later(async () => (await import('../../rooms/developers/webhooks-page.tsx')).WebhooksPage),
  },
  {
    name: 'sandbox',
    title: 'developersSandbox',
    may: ['session.create'],
    page: later(async () => (await import('../../rooms/developers/sandbox-page.tsx')).SandboxPage),
  },
  {
    name: 'events',
    title: 'developersEvents',
    may: ['api_key.manage', 'webhook.manage'],
    page: later(async () => (await import('../../rooms/developers/events-page.tsx')).EventsPage),
  },
  {
    name: 'samples',
    title: 'developersSamples',
    may: ['api_key.manage'],
    page: later(async () => (await import('../../rooms/developers/samples-page.tsx')).SamplesPage),
  },
]
