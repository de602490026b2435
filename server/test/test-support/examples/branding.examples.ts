import { type Examples, ofOrg } from './example.ts'

/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const setLogo = async (world: Parameters<typeof ofOrg>[0]) => ({
  ...(await ofOrg(world)),
  json: { contentType: 'image/png', data: png },
})

export const brandingExamples = {
  'branding.logo': async (world) => {
    const { headers, params } = await ofOrg(world)
    await world.server.client().call('portal.branding.logo.set', {
      headers,
      params,
      body: { contentType: 'image/png', data: png },
    })
    return { params }
  },
  'portal.branding.logo.set': setLogo,
  'portal.branding.logo.remove': ofOrg,
  'branding.public': (world) => ({ params: { orgId: world.scope.orgId } }),
  'portal.branding.get': ofOrg,
  'portal.branding.set': async (world) => ({
    ...(await ofOrg(world)),
    json: {
      displayName: 'Harbour & Sons',
      palette: { accent: '#0b57d0', accentText: '#ffffff', background: '#ffffff', text: '#1b1f24' },
      privacyContact: 'privacy@example.org',
      welcome: 'We are glad that you are here.',
    },
  }),
} satisfies Examples
