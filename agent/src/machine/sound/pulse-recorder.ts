import { DriverError, type ProbeResult } from '../../core/capture/types.ts'
import type { Environment } from '../../shared/child-process.ts'
import { PulseCommand, PulseConnection, PulseRefusal } from '../pulse/pulse-connection.ts'
import { createRecordStream, sourceOfStream } from '../pulse/record-stream.ts'
import type { OpenPcm } from './sound-recorder.ts'
import type { SourceState } from './sound-source.ts'

/**
 * How often the socket is read. The server writes as often as whatever plays and records wants it to, a hundred times a
 * second where a call is going on; what it wrote waits in the socket, and nothing wakes up for it.
 */
const readMs = 500
/** A check is one small question on the same socket. */
const checkMs = 2000

/** Whether the sound server's socket can be talked to. */
export const probePulse = async (env: Environment = process.env): Promise<ProbeResult> => {
  try {
    ;(await PulseConnection.open(env)).close()
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: 'not_observable', detail: String(error) }
  }
}

const connected = async (env: Environment): Promise<PulseConnection> => {
  try {
    return await PulseConnection.open(env, { patient: true })
  } catch (error) {
    throw new DriverError('driver_failed', 'the sound server lets nobody record', { cause: error })
  }
}

/**
 * Records through the sound server's own socket: no program runs beside, and the server itself says, between the sound,
 * when the recorder was taken off its source.
 */
export const openPulsePcm: OpenPcm = async (source, config) => {
  const connection = await connected(config.env ?? process.env)
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  void connection.ended.then(end)
  const parts: Buffer[] = []
  connection.onSound = (_channel, sound) => parts.push(Buffer.from(sound))
  let moved = false
  connection.onMessage = (command) => {
    if (command === PulseCommand.recordStreamKilled) end('the sound server ended the recording')
    if (command === PulseCommand.recordStreamMoved) moved = true
  }
  const stream = await createRecordStream(connection, source.name).catch((error: unknown) => {
    connection.close()
    throw new DriverError('driver_failed', 'the sound server does not record the source', { cause: error })
  })
  const timer = setInterval(() => connection.read(), readMs)
  const check = async (): Promise<SourceState> => {
    try {
      const index = await sourceOfStream(connection, stream)
      return !moved && index === source.index ? 'same' : 'moved'
    } catch (error) {
      return error instanceof PulseRefusal ? 'moved' : 'unknown'
    }
  }
  return {
    listen: (take) => {
      connection.onRead = () => {
        if (parts.length > 0) take(Buffer.concat(parts.splice(0)))
      }
    },
    check,
    answersInOrder: true,
    checkMs: () => checkMs,
    // The socket is read and asked so often that nothing has to call for it.
    changed: () => new AbortController().signal,
    ended,
    stop: async () => {
      clearInterval(timer)
      connection.close()
    },
  }
}
