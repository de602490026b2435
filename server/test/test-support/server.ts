import { type Client, createClient } from '@integrity/client/every-endpoint'
import type { Overrides } from '../../src/app/build-context.ts'
import { defaultLimits, readConfig } from '../../src/app/config.ts'
import { type Running, startServer as start } from '../../src/app/server.ts'
import { bootstrapWithHash } from '../../src/domains/organisation/orgs/bootstrap.service.ts'
import type { Limits } from '../../src/kernel/config.ts'
import type { Parts } from '../../src/kernel/parts.ts'
import { hashPassword } from '../../src/platform/crypto/passwords.ts'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { createManualClock, type ManualClock } from '../../src/platform/manual-clock.test-support.ts'
import { type FreshDatabase, freshDatabase } from './databases.ts'
import { createScriptedFilms } from './films.ts'
import { createScriptedDirectory } from './scripted-directory.ts'
import { createScriptedOidc } from './scripted-oidc.ts'

/** The password of the owners and of everybody that tests make. */
export const testPassword = 'correct horse battery'

/** The address of who decides on requests for access; see `operatorCookie`. */
export const deskOperator = 'operator@example.org'

export interface TestOrg {
  readonly orgId: string
  /** The owner, with `testPassword`. */
  readonly userId: string
  readonly email: string
  readonly liveKey: string
  readonly sandboxKey: string
}

export interface TestServer {
  readonly url: string
  readonly app: Parts
  readonly clock: ManualClock
  /** Two organisations, so that every test can try the other one. */
  readonly orgs: readonly [TestOrg, TestOrg]
  /** The typed client with a bearer credential. */
  client(token?: string): Client
  /** Jobs and deliveries that are due. */
  processAll(): Promise<void>
  /** Stops and starts again on the same data, as a new process would. */
  restart(): Promise<void>
  stop(): Promise<void>
  readonly logLines: string[]
}

export interface ServerOptions {
  readonly engine?: Engine
  /** Where a Postgres of the suite's own can be administered, instead of the run's. */
  readonly postgres?: string
  /** Puts something between the server and its Postgres: takes the address, answers that of what is before it. */
  readonly behind?: (databaseUrl: string) => Promise<string>
  /** Settings that go by where its Postgres is, which is told without what is put between. */
  readonly beside?: (databaseUrl: string) => Promise<Readonly<Record<string, string>>>
  readonly overrides?: Overrides
  readonly limits?: Partial<Limits>
  readonly env?: Readonly<Record<string, string>>
}

/** High enough that only tests of the ceilings meet them. */
const generous: Limits = {
  ...defaultLimits,
  perKey: 1e6,
  perOrg: 1e6,
  readMsPerOrg: 1e9,
  bodyMsPerCredential: 1e9,
  refusedBodyMsPerOrg: 1e9,
  perCredential: 1e6,
  uploadsPerCredential: 1e6,
  answersPerCredential: 1e6,
  answersPerOrg: 1e6,
  megapixelsPerSession: 1e6,
  perAddress: 1e6,
  pagesPerAddress: 1e6,
  streamsPerKey: 1e6,
  connections: 1e6,
  connectionsPerAddress: 1e6,
  failuresPerAddress: 1e6,
  failedClaimsPerSession: 1e6,
  codesPerSession: 1e6,
  accessRequestsPerAddress: 1e6,
}

let hashed: Promise<string> | undefined
/** Hashing costs 35 ms of a core: everybody has the same password, hashed once. */
export const passwordHash = (): Promise<string> => {
  hashed ??= hashPassword(testPassword)
  return hashed
}

let made = 0
/** An organisation in addition, with an owner. */
export const newOrg = async (app: Parts): Promise<TestOrg> => {
  made += 1
  const email = `owner${made}@example.org`
  const hash = await passwordHash()
  return { ...(await bootstrapWithHash(app, { org: `Org ${made}`, email, passwordHash: hash })), email }
}

/** A real server on a free port of 127.0.0.1, with a clock that stands still and workers that run when told. */
export const startServer = async (options: ServerOptions = {}): Promise<TestServer> => {
  const database: FreshDatabase = await freshDatabase(options.engine ?? 'sqlite', 'tables', options.postgres)
  const direct = database.databaseUrl
  const databaseUrl = direct && options.behind ? await options.behind(direct) : direct
  const beside = direct && options.beside ? await options.beside(direct) : {}
  const clock = createManualClock()
  const logLines: string[] = []
  const config = {
    ...readConfig({
      PORT: '0',
      DATA_DIR: database.dataDir,
      WEBHOOK_ALLOW_PRIVATE: '1',
      ACCESS_REQUESTS: 'open',
      ACCESS_DESK_OPERATORS: deskOperator,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...beside,
      ...options.env,
    }),
    limits: { ...generous, ...options.limits },
  }
  const log = createLog({ level: 'warn', destination: { write: (line) => logLines.push(line) } })
  const films = createScriptedFilms()
  const overrides: Overrides = {
    clock,
    log,
    answerCheck: 'strict',
    films,
    ldap: createScriptedDirectory(['reviewers']),
    oidc: createScriptedOidc(),
    ...options.overrides,
  }
  const boot = (): Promise<Running> => bootServer(config, overrides)
  let running = await boot()
  const orgs = [await newOrg(running.built.app), await newOrg(running.built.app)] as const
  return {
    get url() {
      return running.listening.url
    },
    get app() {
      return running.built.app
    },
    clock,
    orgs,
    logLines,
    client: (token) => createClient({ baseUrl: running.listening.url, ...(token === undefined ? {} : { token }) }),
    processAll: () => running.workers.processAll(),
    restart: async () => {
      await running.stop()
      running = await boot()
    },
    stop: async () => {
      await running.stop()
      await database.drop()
    },
  }
}

const bootServer = (config: Parameters<typeof start>[0], overrides: Overrides): Promise<Running> =>
  start(config, { overrides, background: false })
