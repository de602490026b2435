import type { Environment } from '../../shared/child-process.ts'
import { PulseCommand, PulseConnection } from './pulse-connection.ts'
import type { TagReader } from './tagstruct.ts'

/** A source of PulseAudio, or of PipeWire in its place. `monitorOf` names the sink whose sound it repeats. */
export interface PulseSource {
  index: number
  name: string
  description: string
  monitorOf: string | undefined
}

/** One short conversation; undefined when no sound server answers, or not in a way that is understood. */
const asked = async <T>(
  env: Environment,
  question: (connection: PulseConnection) => Promise<T>,
): Promise<T | undefined> => {
  try {
    const connection = await PulseConnection.open(env)
    try {
      return await question(connection)
    } finally {
      connection.close()
    }
  } catch {
    return undefined
  }
}

/** The entries of an answer that is a list, read one after the other to its end. */
const entriesOf = <T>(answer: TagReader, read: (answer: TagReader) => T): T[] => {
  const entries: T[] = []
  while (!answer.atEnd) entries.push(read(answer))
  return entries
}

const wordsOf = (value: number | string | null | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

// Fields as `source_fill_tagstruct` and `source_output_fill_tagstruct` of PulseAudio's protocol-native.c write them.
const readSource = (answer: TagReader): PulseSource => {
  const index = answer.number()
  const name = wordsOf(answer.next()) ?? ''
  const description = wordsOf(answer.next()) ?? name
  // sample_spec, channel_map, owner_module, volume, mute, monitor_of_sink
  answer.skip(6)
  const monitorOf = wordsOf(answer.next())
  // latency, driver, flags, proplist, configured_latency, base_volume, state, n_volume_steps, card
  answer.skip(9)
  // name, description, priority and availability of each port, then the active one
  for (let ports = answer.number(); ports > 0; ports -= 1) answer.skip(4)
  answer.skip(1)
  for (let formats = answer.number(); formats > 0; formats -= 1) answer.skip(1)
  return { index, name, description, monitorOf }
}

/** A stream that the sound server gives to a program, or to one of its own modules. */
export interface SourceOutput {
  source: number
  /** What the program said of itself. */
  properties: ReadonlyMap<string, string>
  /** It stands still: nothing is given. */
  corked: boolean
  /** It is given the height of the sound a few times a second, and not the sound. */
  peaksOnly: boolean
}

const readSourceOutput = (answer: TagReader): SourceOutput => {
  // index, name, owner_module, client
  answer.skip(4)
  const source = answer.number()
  // sample_spec, channel_map, buffer_latency, source_latency
  answer.skip(4)
  const peaksOnly = answer.next() === 'peaks'
  // driver
  answer.skip(1)
  const properties = answer.properties()
  const corked = answer.flag()
  // volume, mute, has_volume, volume_writable, format
  answer.skip(5)
  return { source, properties, corked, peaksOnly }
}

/** The sources of the server, and who is given their sound. */
export const readStreams = async (
  connection: PulseConnection,
): Promise<{ sources: PulseSource[]; outputs: SourceOutput[] }> => ({
  sources: entriesOf(await connection.ask(PulseCommand.getSourceInfoList), readSource),
  outputs: entriesOf(await connection.ask(PulseCommand.getSourceOutputInfoList), readSourceOutput),
})

/** Every source of the sound server, or undefined when it does not answer. */
export const listSources = (env: Environment = process.env): Promise<PulseSource[] | undefined> =>
  asked(env, async (connection) => entriesOf(await connection.ask(PulseCommand.getSourceInfoList), readSource))

/** The names of the sink and the source that programs get when they name none; undefined when the server does not answer. */
export const readDefaults = (
  env: Environment = process.env,
): Promise<{ sink: string | undefined; source: string | undefined } | undefined> =>
  asked(env, async (connection) => {
    const answer = await connection.ask(PulseCommand.getServerInfo)
    // package, version, user, host, sample_spec
    answer.skip(5)
    return { sink: wordsOf(answer.next()), source: wordsOf(answer.next()) }
  })

/** The index of the source that the process `pid` records from now; null when it does not record; undefined when unknown. */
export const sourceOfProcess = (pid: number, env: Environment = process.env): Promise<number | null | undefined> =>
  asked(env, async (connection) => {
    const outputs = entriesOf(await connection.ask(PulseCommand.getSourceOutputInfoList), readSourceOutput)
    return outputs.find(({ properties }) => properties.get('application.process.id') === String(pid))?.source ?? null
  })
