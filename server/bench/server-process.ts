// A server in a process of its own, as a bench needs it: a quiet log, a fresh data folder, as many organisations as BENCH_ORGS
// says. BENCH_NO_CEILINGS lifts the ceilings, where what a server can do is the subject.
// The child says once where it listens and the keys, and ends when its channel closes. To whatever
// the parent sends it answers how much of its heap is in use.
// With BENCH_COMMIT_EACH every request has a transaction and a COMMIT of its own: what sharing them is compared with.
import { join } from 'node:path'
import { defaultLimits, readConfig } from '../src/app/config.ts'
import { handlers } from '../src/app/generated/handlers.ts'
import { startServer } from '../src/app/server.ts'
import { bootstrapOrg } from '../src/domains/organisation/orgs/bootstrap.service.ts'
import type { LooseHandler } from '../src/pipeline/loose-handler.ts'
import { openSqlite } from '../src/platform/db/sqlite/sqlite.db.ts'

const unlimited = {
  ...defaultLimits,
  perKey: 1e9,
  perOrg: 1e9,
  readMsPerOrg: 1e9,
  bodyMsPerCredential: 1e9,
  refusedBodyMsPerOrg: 1e9,
  perCredential: 1e9,
  uploadsPerCredential: 1e9,
  answersPerCredential: 1e9,
  answersPerOrg: 1e9,
  megapixelsPerSession: 1e9,
  perAddress: 1e9,
  failuresPerAddress: 1e9,
}
const read = readConfig({ ...process.env, PORT: '0', LOG_LEVEL: 'error', NODE_ENV: 'production' })
const config = process.env['BENCH_NO_CEILINGS'] === undefined ? read : { ...read, limits: unlimited }
const commitEach = process.env['BENCH_COMMIT_EACH'] !== undefined
if (commitEach)
  for (const handler of Object.values(handlers as unknown as Record<string, LooseHandler>)) delete handler.together
const apart = () => openSqlite({ file: join(config.dataDir, 'database.sqlite'), groupLimit: 1 })
const running = await startServer(config, commitEach ? { overrides: { db: apart() } } : {})
const orgs = []
for (let n = 1; n <= Number(process.env['BENCH_ORGS'] ?? 1); n += 1) {
  const owner = { org: `Bench ${n}`, email: `bench-${n}@example.org`, password: 'correct horse battery' }
  orgs.push(await bootstrapOrg(running.built.app, owner))
}
process.send?.({ url: running.listening.url, ...orgs[0], orgs })
process.on('message', () => process.send?.({ heapMiB: process.memoryUsage().heapUsed / 2 ** 20 }))
process.on('disconnect', () => void running.stop().then(() => process.exit(0)))
