import type { HandlerMap } from '../../../../kernel/handler.ts'
import { pageView } from '../../../../kernel/paging.ts'
import { signInView } from '../second-factor/factors.view.ts'
import { endOtherSignIns, endOwnSignIn, listOwnSignIns } from './own-sign-ins.service.ts'

export const authSignInsRoutes = {
  'auth.signIns.list': {
    read: async (call, { query }) => {
      const { page, total } = await listOwnSignIns(call, query)
      return pageView(page, total, signInView(call.actor.portalSessionId))
    },
  },
  'auth.signIns.end': {
    write: async (call, { params }) => {
      await endOwnSignIn(call, params.signInId)
      return { id: params.signInId, ended: true as const }
    },
  },
  'auth.signIns.endOthers': { write: async (call) => ({ ended: await endOtherSignIns(call) }) },
} satisfies Partial<HandlerMap>
