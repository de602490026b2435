import type { Environment } from '../../shared/child-process.ts'
import { PulseCommand, PulseConnection } from './pulse-connection.ts'
import { u32 } from './tagstruct.ts'

// `pa_subscription_mask_t` and `pa_subscription_event_type_t` of PulseAudio's def.h.
const sources = 0x02
const sourceOutputs = 0x08
const sinks = 0x01
const server = 0x80
const kindOfChange = 0x30
const added = 0x00

const hearOf = async (env: Environment, of: number, tell: (change: number) => void): Promise<PulseConnection> => {
  const connection = await PulseConnection.open(env)
  connection.onMessage = (command, message) => {
    if (command === PulseCommand.subscribeEvent) tell(message.number())
  }
  try {
    await connection.ask(PulseCommand.subscribe, u32(of))
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Whether the list of sources may have changed since it was last asked for. */
export interface SourceNews {
  /** True after a change, and always when nothing is told; asking settles it. */
  take(): boolean
  close(): void
}

/** Hears from the sound server when its sources change. @throws Error when it cannot be heard */
export const followSources = async (env: Environment): Promise<SourceNews> => {
  let news = true
  let deaf = false
  const connection = await hearOf(env, sources, () => {
    news = true
  })
  void connection.ended.then(() => {
    deaf = true
  })
  return {
    take: () => {
      const taken = news || deaf
      news = false
      return taken
    },
    close: () => connection.close(),
  }
}

/** Gives who is given the sound of which source, now and after each change, until the signal aborts. @throws Error when the server is gone */
export const followStreams = <T>(
  env: Environment,
  read: (connection: PulseConnection) => Promise<T>,
  see: (state: T) => void,
  signal: AbortSignal,
): Promise<void> => follow(env, sources | sourceOutputs, { read, see, signal })

/** The same of the sinks, and of which of them plays by default. */
export const followServer = <T>(
  env: Environment,
  read: (connection: PulseConnection) => Promise<T>,
  see: (state: T) => void,
  signal: AbortSignal,
): Promise<void> => follow(env, sinks | server, { read, see, signal })

interface Following<T> {
  read: (connection: PulseConnection) => Promise<T>
  see: (state: T) => void
  signal: AbortSignal
}

const follow = async <T>(env: Environment, of: number, { read, see, signal }: Following<T>): Promise<void> => {
  let news = Promise.withResolvers<void>()
  const connection = await hearOf(env, of, () => news.resolve())
  const over = connection.ended.then((why) => {
    throw new Error(why)
  })
  over.catch(() => undefined)
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  try {
    while (!signal.aborted) {
      news = Promise.withResolvers<void>()
      see(await read(connection))
      await Promise.race([news.promise, over, stopped])
    }
  } finally {
    connection.close()
  }
}

export interface SourceChanges {
  /** Whether changes are being told; false once the sound server is gone. */
  alive(): boolean
  /** A signal that aborts when a source, or who records it, next changes or goes. */
  next(): AbortSignal
  stop(): Promise<void>
}

/** Listens to the sound server, so that a recorder put on another source is noticed at once. */
export const watchSourceChanges = (env: Environment = process.env): SourceChanges => {
  let running = true
  let change = new AbortController()
  const over = (): void => {
    running = false
  }
  const hearing = hearOf(env, sources | sourceOutputs, (kind) => {
    if ((kind & kindOfChange) !== added) change.abort()
  })
  hearing.then((connection) => connection.ended).then(over, over)
  return {
    alive: () => running,
    next: () => {
      if (change.signal.aborted) change = new AbortController()
      return change.signal
    },
    stop: async () => {
      const connection = await hearing.catch(() => undefined)
      connection?.close()
      over()
    },
  }
}
