import { notFound } from '@integrity/protocol'
import type { HandlerMap } from '../../../kernel/handler.ts'
import { getSimulation, startSimulation } from './sandbox.service.ts'
import { simulationView } from './sandbox.view.ts'

export const sandboxRoutes = {
  'sandbox.simulate': {
    write: async (call, input) =>
      simulationView(await startSimulation(call, { sessionId: input.params.id, wanted: input.body })),
  },
  'sandbox.simulation': {
    read: async (call, input) => simulationView(await getSimulation(call, input.params.id)),
  },
  'portal.sandbox.simulate': {
    write: async (call, { params, body }) =>
      simulationView(await startSimulation(call, { sessionId: params.id, wanted: body })),
  },
  'portal.sandbox.simulation': {
    read: async (call, { params }) => {
      // A real interview has none, and to whoever may see it that is no secret.
      if (call.scope.environment !== 'sandbox') throw notFound('simulation')
      return simulationView(await getSimulation(call, params.id))
    },
  },
} satisfies Partial<HandlerMap>
