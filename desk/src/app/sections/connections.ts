import { later } from '../../parts/later.tsx'
import type { Section } from './section.ts'

export const connectionsSections: readonly Section[] = [
  {
    name: 'sso',
    title: 'connectionsSection',
    may: ['sso.manage'],
    page: later(async () => (await import('../../rooms/connections/sso/sso-page.tsx')).SsoPage),
  },
  {
    name: 'domains',
    title: 'connectionsDomains',
    may: ['sso.manage'],
    page: later(async () => (await import('../../rooms/connections/domains/domains-page.tsx')).DomainsPage),
  },
  {
    name: 'provisioning',
    title: 'connectionsProvisioning',
    may: ['sso.manage'],
    page: later(
      async () => (await import('../../rooms/connections/provisioning/provisioning-page.tsx')).ProvisioningPage,
    ),
  },
  {
    name: 'hiring-systems',
    title: 'connectionsHiring',
    may: ['integration.manage'],
    page: later(async () => (await import('../../rooms/connections/hiring/hiring-page.tsx')).HiringPage),
  },
  {
    name: 'chat',
    title: 'connectionsChat',
    may: ['integration.manage'],
    page: later(async () => (await import('../../rooms/connections/chat/chat-page.tsx')).ChatPage),
  },
  {
    name: 'brand',
    title: 'connectionsBrand',
    may: ['branding.manage'],
    page: later(async () => (await import('../../rooms/connections/brand/brand-page.tsx')).BrandPage),
  },
]
