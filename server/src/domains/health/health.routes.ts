import { ServiceError } from '@integrity/protocol'
import type { HandlerMap } from '../../kernel/handler.ts'
import type { AppContext } from '../../kernel/parts.ts'
import { migrations } from '../../migrations/index.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'

const checks: Record<string, (app: AppContext) => Promise<void>> = {
  process: async (app) => {
    if (app.draining.aborted) throw new Error('the process is shutting down')
  },
  database: (app) => app.db.ping(),
  migrations: async (app) => {
    const pending = await pendingMigrations(app.db, migrations)
    if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`)
  },
  store: (app) => app.store.probe(),
  masterKey: async (app) => {
    const probe = Buffer.from('ready')
    if (!app.keyring.unwrap(app.keyring.wrap(probe, 'readiness'), 'readiness').equals(probe))
      throw new Error('does not open what it wraps')
  },
}

/** Probing the store writes a file; load balancers ask often, so an answer is good for two seconds. */
const freshMs = 2000
const remembered = new WeakMap<AppContext, { at: number; failures: { path: string; message: string }[] }>()

const failuresOf = async (app: AppContext) => {
  const known = remembered.get(app)
  if (known && !app.draining.aborted && app.clock.now() - known.at < freshMs) return known.failures
  const failures: { path: string; message: string }[] = []
  for (const [path, check] of Object.entries(checks)) {
    try {
      await check(app)
    } catch (error) {
      app.log.warn({ err: error, check: path }, 'not ready')
      failures.push({
        path,
        message: path === 'process' || path === 'migrations' ? (error as Error).message : 'cannot be used',
      })
    }
  }
  remembered.set(app, { at: app.clock.now(), failures })
  return failures
}

export const healthRoutes = {
  'health.live': {
    read: async ({ app }) => ({
      status: 'ok' as const,
      version: app.version,
      uptimeSeconds: Math.floor(process.uptime()),
    }),
  },
  'health.ready': {
    read: async ({ app }) => {
      const failures = await failuresOf(app)
      if (failures.length > 0)
        throw new ServiceError('service_unavailable', `not ready: ${failures.map((f) => f.path).join(', ')}`, {
          details: failures,
        })
      return {
        status: 'ready' as const,
        checks: Object.fromEntries(Object.keys(checks).map((name) => [name, 'ok' as const])),
      }
    },
  },
} satisfies Partial<HandlerMap>
