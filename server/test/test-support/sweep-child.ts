// A call of a sweep in a process of its own, which waits at one of its steps to be killed there.
import { readConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { runSweep } from '../../src/domains/administration/retention/sweep.service.ts'
import type { SessionEraser } from '../../src/kernel/session-eraser.ts'
import { createManualClock } from '../../src/platform/manual-clock.test-support.ts'
import { LocalStore } from '../../src/platform/storage/local.store.ts'
import type { SweepTask } from './sweep-process.ts'

const task = JSON.parse(process.env['SWEEP'] ?? '{}') as SweepTask
const { orgId } = task
const config = readConfig({
  PORT: '0',
  DATA_DIR: task.dataDir,
  LOG_LEVEL: 'error',
  ...(task.databaseUrl && { DATABASE_URL: task.databaseUrl }),
})

let steps = 0
const step = async (): Promise<void> => {
  steps += 1
  if (steps < task.stopAt) return
  process.send?.({ stopped: true })
  await new Promise(() => undefined)
}

class WatchedStore extends LocalStore {
  override async remove(key: string): Promise<void> {
    await step()
    await super.remove(key)
    await step()
  }
}

const overrides = {
  clock: createManualClock(task.now),
  store: new WatchedStore(`${task.dataDir}/objects`),
  sharesFolder: true,
}
const { built, workers } = await startServer(config, { overrides, background: false })
const { app } = built
const erasers = app.erasers as SessionEraser[]
for (const [n, eraser] of erasers.entries())
  erasers[n] = {
    async erase(...args) {
      await step()
      return eraser.erase(...args)
    },
  }

const who = { kind: 'user', id: task.userId, email: 'owner@example.org', permissions: [] } as const
const scope = { orgId, environment: 'live' } as const
await app.db.transact(async (tx) => {
  await runSweep({ ...app, tx, reader: tx, scope, actor: { ...who, ...scope } }, { orgId, maxObjects: task.maxObjects })
  await step()
})
await step()
await workers.processAll()
process.send?.({ stopped: false })
// Only now, so that what was sent is not lost.
process.on('disconnect', () => process.exit(0))
