import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { bootstrapOrg } from '../../src/domains/organisation/orgs/bootstrap.service.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { freshDatabase } from './databases.ts'

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface GuideOrg {
  readonly orgId: string
  readonly email: string
  readonly password: string
  readonly sandboxKey: string
  /** Publishes events about one session, as any service would. Returns their ids. */
  readonly publish: (types: readonly ('session.scheduled' | 'session.ended')[]) => Promise<string[]>
}

export interface GuideServer {
  readonly url: string
  /** An organisation of its own, so that chapters do not see each other. */
  newOrg(): Promise<GuideOrg>
  readonly logLines: readonly string[]
  stop(): Promise<void>
}

/** The service as an integrator meets it: the real clock, the usual ceilings, background parts at work. */
export const startGuideServer = async (): Promise<GuideServer> => {
  const database = await freshDatabase('sqlite')
  const logLines: string[] = []
  const port = await freePort()
  const env = { PORT: String(port), DATA_DIR: database.dataDir, WEBHOOK_ALLOW_PRIVATE: '1' }
  const log = createLog({ level: 'warn', destination: { write: (line) => logLines.push(line) } })
  const running = await startServer(readConfig(env), { overrides: { log, answerCheck: 'strict' } })
  const { app } = running.built
  let made = 0
  return {
    url: running.listening.url,
    logLines,
    newOrg: async () => {
      made += 1
      const owner = { org: `Guide ${made}`, email: `guide${made}@example.org`, password: 'correct horse battery' }
      const { sandboxKey, orgId } = await bootstrapOrg(app, owner)
      const sessionId = app.newId('ses')
      const data = { session: { id: sessionId, externalId: null, state: 'scheduled' as const }, reason: null }
      const publish: GuideOrg['publish'] = (types) =>
        app.db.transact(async (tx) => {
          const ids: string[] = []
          for (const type of types) {
            const scope = { orgId, environment: 'sandbox' as const }
            ids.push((await app.outbox.publish({ tx, scope }, { type, sessionId, data })).id)
          }
          return ids
        })
      return { orgId, email: owner.email, password: owner.password, sandboxKey, publish }
    },
    stop: async () => {
      await running.stop()
      await database.drop()
    },
  }
}
