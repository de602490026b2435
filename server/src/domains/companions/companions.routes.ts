import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../kernel/handler.ts'
import { discardCapture, type PreparedCapture } from '../captures/captures.service.ts'
import {
  admitPairing,
  claimPairing,
  consentToSideView,
  linkPhone,
  readCompanion,
  unpair,
} from './companions.service.ts'
import { confirmPlacement, preparePlacement } from './placement.service.ts'
import { receivePresence } from './presence.service.ts'
import { pushPreview, servePreview } from './previews.service.ts'

export const companionsRoutes = {
  'pairings.claim': {
    prepare: ({ app, input }) => admitPairing(app, input.params.joinCode),
    write: async ({ app, tx, input }) => claimPairing(app, tx, input.params.joinCode, input.body),
  },
  'pairings.consent': {
    write: async ({ app, tx, scope, actor, input }) => consentToSideView(app, tx, scope, actor, input.body),
  },
  'pairings.presence': {
    write: async ({ app, tx, scope, actor, input }) => receivePresence(app, tx, scope, actor, input.body.beats),
  },
  'pairings.unpair': {
    write: async ({ app, tx, scope, actor }) => unpair(app, tx, scope, actor),
  },
  'companion.get': {
    read: async ({ app, scope, input }) => readCompanion(app.db.reader, scope, input.params.id),
  },
  'companion.joinLinks.create': {
    write: async ({ app, tx, scope, actor }) => linkPhone(app, tx, scope, actor),
  },
  'companion.placement': prepared<EndpointMap['companion.placement'], PreparedCapture>({
    prepare: ({ app, scope, actor, input }) => preparePlacement(app, scope, actor, input.body),
    write: ({ app, tx, scope, actor, input }, photo) => confirmPlacement(app, tx, scope, actor, input.body, photo),
    discard: ({ app }, photo) => discardCapture(app, photo),
  }),
  'companion.preview.get': {
    serve: ({ app, scope, input }, koa) => servePreview(app, scope, input.params.id, koa),
  },
  'companion.preview.push': {
    read: async ({ app, scope, actor, input }) => pushPreview(app, scope, actor, input.body),
  },
} satisfies Partial<HandlerMap>
