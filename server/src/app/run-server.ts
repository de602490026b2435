import { MigrationRefused } from '../platform/db/migrate.ts'
import { createLog } from '../platform/log/log.ts'
import { buildInfo } from './build-info.ts'
import { ConfigError, readConfig } from './config.ts'
import { namingDatabase } from './existing-database.ts'
import { welcome } from './first-start.ts'
import { misspeltSettings } from './misspelt-settings.ts'
import { type StartOptions, startServer } from './server.ts'
import { signsOfLife } from './signs-of-life.ts'

/** The server as a program of its own: until it is told to end. */
export const runServer = async (options: Pick<StartOptions, 'workers'> = {}): Promise<void> => {
  // What is made from now on is its owner's alone.
  process.umask(0o077)
  try {
    const config = readConfig(process.env)
    const isTerminal = process.stdout.isTTY === true && !config.production
    const log = createLog({ level: config.logLevel })
    log.info({ ...buildInfo(), node: process.version }, 'starting')
    for (const { name, meant } of misspeltSettings(process.env))
      log.warn({ name, meant }, `${name} is no setting and is passed over: ${meant} is one`)
    const overrides = isTerminal ? { overrides: { onRequest: signsOfLife() } } : {}
    const running = await namingDatabase(config, () => startServer(config, { ...options, metrics: true, ...overrides }))
    await welcome(running.built.app, { url: running.listening.url, isTerminal })
    const leave = () => {
      running.built.app.log.info('stopping: requests finish, streams close')
      void running.stop().then(() => process.exit(0))
    }
    process.once('SIGTERM', leave)
    process.once('SIGINT', leave)
  } catch (error) {
    const isKnown = error instanceof ConfigError || error instanceof MigrationRefused
    console.error(isKnown ? error.message : error)
    // 78 (EX_CONFIG of sysexits.h): a start that is repeated ends alike. The service's unit does not repeat it.
    process.exit(error instanceof MigrationRefused ? 78 : 1)
  }
}
