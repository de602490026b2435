import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { latestMigration, type MigrationRun, migrateSome, noteMigration } from './migration.service.ts'
import { chooseStorage, keepChecks, type ProbedPlace, probeStorage, probeStored, storageOf } from './storage.service.ts'
import { migrationView, storageView } from './storage.view.ts'

export const storageRoutes = {
  'portal.storage.get': {
    read: async (call) => storageView(await storageOf(call, call.actor.orgId)),
  },
  'portal.storage.put': prepared<EndpointMap['portal.storage.put'], ProbedPlace>({
    prepare: (call, { body }) => probeStorage(call, body),
    write: async (call, { body }, probed) =>
      storageView(await chooseStorage(call, { probed, expectedVersion: body.expectedVersion })),
  }),
  'portal.storage.validate': prepared<EndpointMap['portal.storage.validate'], Awaited<ReturnType<typeof probeStored>>>({
    prepare: (call) => probeStored(call),
    write: async (call, _, probed) => storageView(await keepChecks(call, probed)),
  }),
  'portal.storage.migrate': prepared<EndpointMap['portal.storage.migrate'], MigrationRun>({
    prepare: (call, { body }) => migrateSome(call, body.maxObjects),
    write: async (call, _, run) => {
      await noteMigration(call, run)
      return { ...run, failed: [...run.failed] }
    },
  }),
  'portal.storage.migration': {
    read: async (call) => migrationView(await latestMigration(call)),
  },
} satisfies Partial<HandlerMap>
