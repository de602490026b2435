import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import type { PreparedItem } from '../evidence/intake/intake.item.model.ts'
import { discardItem } from '../evidence/intake/intake.prepare.service.ts'
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
import { pushPreview, readPreview } from './previews.service.ts'

export const companionsRoutes = {
  'pairings.claim': {
    prepare: (call, input) => admitPairing(call, input.params.joinCode),
    write: async (call, input) => claimPairing(call, { joinCode: input.params.joinCode, ...input.body }),
  },
  'pairings.consent': {
    write: async (call, input) => consentToSideView(call, input.body),
  },
  'pairings.presence': {
    write: async (call, input) => receivePresence(call, input.body.beats),
  },
  'pairings.unpair': {
    write: async (call) => unpair(call),
  },
  'companion.get': {
    read: async (call, { params, query }) => readCompanion(call, { sessionId: params.id, locale: query.locale }),
  },
  'companion.joinLinks.create': {
    write: async (call) => linkPhone(call),
  },
  'companion.placement': prepared<EndpointMap['companion.placement'], PreparedItem>({
    prepare: (call, input) => preparePlacement(call, input.body),
    write: (call, input, photo) => confirmPlacement(call, { input: input.body, photo }),
    discard: (call, _, photo) => discardItem(call, photo),
  }),
  'companion.preview.get': {
    content: (call, input) => readPreview(call, input.params.id),
  },
  'companion.preview.push': {
    read: async (call, input) => pushPreview(call, input.body),
  },
} satisfies Partial<HandlerMap>
