import type { HandlerMap } from '../../kernel/handler.ts'
import { getSimulation, startSimulation } from './sandbox.service.ts'
import { simulationView } from './sandbox.view.ts'

export const sandboxRoutes = {
  'sandbox.simulate': {
    write: async ({ app, tx, scope, actor, input }) =>
      simulationView(await startSimulation(app, tx, scope, actor, input.params.id, input.body)),
  },
  'sandbox.simulation': {
    read: async ({ app, scope, input }) => simulationView(await getSimulation(app.db.reader, scope, input.params.id)),
  },
} satisfies Partial<HandlerMap>
