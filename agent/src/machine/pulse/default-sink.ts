import type { Source } from '../../core/observers/sampled-observer.ts'
import type { Environment } from '../../shared/child-process.ts'
import { PulseCommand, PulseConnection } from './pulse-connection.ts'
import { followServer } from './source-changes.ts'
import { text, u32 } from './tagstruct.ts'

const none = 0xffff_ffff

/** The name that the maker gave to the sink that plays by default; null where there is none. */
const askDefaultSink = async (connection: PulseConnection): Promise<string | null> => {
  const server = await connection.ask(PulseCommand.getServerInfo)
  // package, version, user, host, sample_spec
  server.skip(5)
  const name = server.next()
  if (typeof name !== 'string' || name === '') return null
  const sink = await connection.ask(PulseCommand.getSinkInfo, u32(none), text(name))
  // index, name
  sink.skip(2)
  const description = sink.next()
  return (typeof description === 'string' && description !== '' ? description : name).slice(0, 300)
}

/** @throws Error when no sound server answers */
export const readDefaultSink = async (env: Environment): Promise<string | null> => {
  const connection = await PulseConnection.open(env)
  try {
    return await askDefaultSink(connection)
  } finally {
    connection.close()
  }
}

/** The same, now and at each change. */
export const followDefaultSink =
  (env: Environment): Source<string | null> =>
  (see, signal) =>
    followServer(env, askDefaultSink, see, signal)
