// The real server in a process of its own, with its ceilings lifted: the kill test sends in a minute what a candidate
// sends in hours. Run by a plain .mjs because the agent's type check does not reach into the server.
import { flushCompileCache } from 'node:module'
import { defaultLimits, readConfig } from '../../../server/src/app/config.ts'
import { startServer } from '../../../server/src/app/server.ts'

const unlimited = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1e9]))
const running = await startServer({ ...readConfig(process.env), limits: unlimited })
console.log(`listening on ${running.listening.url}`)
flushCompileCache()
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)))
