import type { HandlerMap } from '../../../kernel/handler.ts'
import { chooseWitnesses, readWitnesses } from './witnesses.service.ts'
import { witnessingView } from './witnesses.view.ts'

export const witnessesRoutes = {
  'portal.witnesses.get': {
    read: async (call) => witnessingView(await readWitnesses(call, call.scope.orgId)),
  },
  'portal.witnesses.set': {
    write: async (call, { body }) => witnessingView(await chooseWitnesses(call, body)),
  },
} satisfies Partial<HandlerMap>
