import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { getBrand, getLogo, removeLogo, setBrand, setLogo } from './branding.service.ts'
import type { LogoRow } from './branding.types.ts'
import { brandingView, logoView, publicBrandView } from './branding.view.ts'
import { redrawLogo } from './logo.model.ts'

export const brandingRoutes = {
  'branding.logo': {
    content: async (call, { params, query }) => {
      const { sha256, png } = await getLogo(call, params.orgId)
      const isOfThis = query.v !== undefined && sha256.startsWith(query.v) && query.v.length >= 16
      return {
        contentType: 'image/png',
        body: png,
        sandboxed: true,
        headers: { 'Cache-Control': isOfThis ? 'public, max-age=31536000, immutable' : 'no-cache' },
      }
    },
  },
  'branding.public': {
    read: async (call, { params }) => publicBrandView(call.config, await getBrand(call, params.orgId)),
  },
  'portal.branding.get': {
    read: async (call) => brandingView(call.config, await getBrand(call, call.scope.orgId)),
  },
  'portal.branding.set': {
    write: async (call, { body }) => brandingView(call.config, await setBrand(call, body)),
  },
  'portal.branding.logo.set': prepared<EndpointMap['portal.branding.logo.set'], { logo: LogoRow; png: Buffer }>({
    prepare: (_call, { body }) => redrawLogo(body),
    write: async (call, _input, drawn) => {
      await setLogo(call, drawn)
      return logoView(call.config, call.scope.orgId, drawn.logo)
    },
  }),
  'portal.branding.logo.remove': {
    write: async (call) => {
      await removeLogo(call)
      return { deleted: true as const }
    },
  },
} satisfies Partial<HandlerMap>
