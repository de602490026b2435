import type { Config } from '../kernel/config.ts'
import { closeServer, type Listening, listen } from '../pipeline/http.ts'
import type { LooseHandler } from '../pipeline/loose-handler.ts'
import { FolderTaken, takeFolder } from '../platform/db/sqlite/sqlite.lock.ts'
import { type MetricsServer, startMetricsServer } from '../platform/metrics/metrics-server.ts'
import { type Built, buildContext, type Overrides } from './build-context.ts'
import { ConfigError } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { followEndings } from './follow-endings.ts'
import { registerGauges } from './gauges.ts'
import { handlers } from './generated/handlers.ts'
import { refuseUntold } from './restored-mark.ts'
import { createWorkers, type Workers, type WorkersOptions } from './workers.ts'

/** How long running requests and streams get when the process has to go. */
const graceMs = 10_000

export interface Running {
  readonly built: Built
  readonly listening: Listening
  readonly workers: Workers
  readonly metrics: MetricsServer | undefined
  /** Drains: readiness off, streams closed with a hint, requests finished, claims given back. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly overrides?: Overrides
  /** False in tests, which run the workers by hand. */
  readonly background?: boolean
  readonly workers?: WorkersOptions
  readonly metrics?: boolean
}

const portProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program: end that one, or set',
  EACCES: 'is not for this user: set',
}

/** Opens a port; one that cannot be had is the operator's to choose, so it is said in a sentence with the setting's name. */
const onPort = async <T>(setting: 'PORT' | 'METRICS_PORT', port: number, open: () => Promise<T>): Promise<T> => {
  try {
    return await open()
  } catch (error) {
    const problem = portProblems[String((error as { code?: unknown }).code)]
    if (problem === undefined) throw error
    throw new ConfigError(`Port ${port} ${problem} ${setting} to another one.`, { cause: error })
  }
}

/** On SQLite the folder is this server's alone. @returns gives it back */
const folderOf = ({ databaseUrl, dataDir }: Config, overrides?: Overrides): (() => void) => {
  if (databaseUrl !== undefined || overrides?.db || overrides?.sharesFolder) return () => undefined
  try {
    return takeFolder(dataDir)
  } catch (error) {
    throw error instanceof FolderTaken ? new ConfigError(error.message, { cause: error }) : error
  }
}

export const startServer = async (config: Config, options: StartOptions = {}): Promise<Running> => {
  await openDataFolder(config.dataDir)
  await refuseUntold(config.dataDir)
  const give = folderOf(config, options.overrides)
  const built = await buildContext(config, options.overrides).catch((error: unknown) => {
    give()
    throw error
  })
  const { app } = built
  const listening = await onPort('PORT', config.port, () =>
    listen(app, handlers as unknown as Readonly<Record<string, LooseHandler>>),
  )
  const stopFollowing = followEndings(app)
  const workers = createWorkers(app, options.workers)
  if (options.background !== false) workers.start()
  registerGauges(app)
  const metrics = options.metrics
    ? await onPort('METRICS_PORT', config.metricsPort, () =>
        startMetricsServer(app.metrics, { host: config.metricsHost, port: config.metricsPort }),
      )
    : undefined
  let stopping: Promise<void> | undefined
  const stop = async () => {
    built.drain()
    stopFollowing()
    const withinMs = options.background === false ? 0 : 1000
    await Promise.all([app.streams.close({ withinMs }), app.sockets.close({ withinMs: 1000 })])
    await Promise.all([closeServer(listening.server, graceMs), workers.stop(AbortSignal.timeout(graceMs))])
    await metrics?.close()
    await built.close().finally(give)
  }
  return {
    built,
    listening,
    workers,
    metrics,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
