import type { HandlerMap } from '../../kernel/handler.ts'
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
} satisfies Partial<HandlerMap>
