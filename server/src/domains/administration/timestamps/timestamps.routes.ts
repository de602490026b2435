import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { chooseAuthority, readTimestamping, tryAuthority } from './timestamps.service.ts'
import { timestampingView } from './timestamps.view.ts'

export const timestampsRoutes = {
  'portal.timestamps.get': {
    read: async (call) => timestampingView(await readTimestamping(call, call.scope.orgId)),
  },
  'portal.timestamps.set': prepared<EndpointMap['portal.timestamps.set'], void>({
    prepare: (call, { body }) => tryAuthority(call, body),
    write: async (call, { body }) => timestampingView(await chooseAuthority(call, body)),
  }),
} satisfies Partial<HandlerMap>
