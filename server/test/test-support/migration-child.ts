// A server in a process of its own. Asked to migrate, it waits at one of its steps, whatever that is, to be killed there.
import { readConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { createHttpOut } from '../../src/platform/http-out/http-out.ts'
import { createManualClock } from '../../src/platform/manual-clock.test-support.ts'
import { LocalStore } from '../../src/platform/storage/local.store.ts'
import type { MigrationTask } from './migration-process.ts'

const task = JSON.parse(process.env['MIGRATION'] ?? '{}') as MigrationTask
const read = readConfig({
  PORT: '0',
  DATA_DIR: task.dataDir,
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW_PRIVATE: '1',
  ...(task.databaseUrl && { DATABASE_URL: task.databaseUrl }),
})
const config = { ...read, limits: task.limits }

let listens = false
let steps = 0
/** Before and after each thing that is asked of a place. */
const around = async <T>(work: () => Promise<T>): Promise<T> => {
  await step()
  const result = await work()
  await step()
  return result
}
const step = async (): Promise<void> => {
  if (!listens) return
  steps += 1
  if (steps < task.stopAt) return
  process.send?.({ stopped: true })
  await new Promise(() => undefined)
}

class WatchedStore extends LocalStore {
  override put(...args: Parameters<LocalStore['put']>) {
    return around(() => super.put(...args))
  }
  override remove(key: string) {
    return around(() => super.remove(key))
  }
}
const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
const httpOut: typeof http = { ...http, request: (...args) => around(() => http.request(...args)) }

const clock = createManualClock(task.now)
const overrides = { clock, httpOut, store: new WatchedStore(`${task.dataDir}/objects`), sharesFolder: true }
const { listening } = await startServer(config, { overrides, background: false })
listens = true
process.send?.({ url: listening.url })
process.on('disconnect', () => process.exit(0))
