import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../src/app/config.ts'
import { startServer } from '../src/app/server.ts'
import { bootstrapOrg } from '../src/domains/organisation/orgs/bootstrap.service.ts'
import { systemClock } from '../src/platform/clock.ts'
import { benchFolder } from './harness.ts'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

export const deskOwner = { email: 'bench-1@example.org', password: 'correct horse battery' }

/** A server of this process at the address that it believes to have, whose clock can be set back. */
export const startDeskServer = async () => {
  const dataDir = mkdtempSync(join(benchFolder(), 'bench-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const back = { ms: 0 }
  const config = readConfig({ PORT: String(port), BASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const clock = { ...systemClock, now: () => Date.now() - back.ms }
  const running = await startServer(config, { overrides: { clock } })
  const org = await bootstrapOrg(running.built.app, { org: 'Bench', ...deskOwner })
  const stop = async (): Promise<void> => {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url, back, key: org.liveKey, orgId: org.orgId, app: running.built.app, stop }
}
