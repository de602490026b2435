import { z } from 'zod'
import { commandText, type Environment } from '../../shared/child-process.ts'

/** A PulseAudio (or PipeWire-pulse) source. `monitorOf` names the sink whose sound it repeats. */
export type PulseSource = { index: number; name: string; description: string; monitorOf: string | undefined }

const sourcesSchema = z.array(
  z.object({
    index: z.number(),
    name: z.string(),
    description: z.string().nullish(),
    monitor_source: z.string().nullish(),
    properties: z.record(z.string(), z.string()).optional(),
  }),
)
const outputsSchema = z.array(
  z.object({ index: z.number(), source: z.number(), properties: z.record(z.string(), z.string()).optional() }),
)

const pactl = async (args: string[], env: Environment | undefined): Promise<string | undefined> =>
  commandText('pactl', args, { env: { ...(env ?? process.env), LC_ALL: 'C' }, timeoutMs: 5000 })

const pactlJson = async <T>(schema: z.ZodType<T>, kind: string, env?: Environment): Promise<T | undefined> => {
  const text = await pactl(['--format=json', 'list', kind], env)
  if (text === undefined) return undefined
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Every source of the sound server, or undefined when it does not answer. */
export const listSources = async (env?: Environment): Promise<PulseSource[] | undefined> => {
  const sources = await pactlJson(sourcesSchema, 'sources', env)
  return sources?.map(({ index, name, description, monitor_source, properties }) => ({
    index,
    name,
    description: description ?? name,
    // pactl's JSON calls it monitor_source on a source too: the sink that is monitored.
    monitorOf: properties?.['device.class'] === 'monitor' ? monitor_source || name : undefined,
  }))
}

export const defaultSourceName = async (env?: Environment): Promise<string | undefined> =>
  (await pactl(['get-default-source'], env))?.trim() || undefined

export const defaultSinkName = async (env?: Environment): Promise<string | undefined> =>
  (await pactl(['get-default-sink'], env))?.trim() || undefined

/** The index of the source that the process `pid` records from now; null when it does not record; undefined when unknown. */
export const sourceOfProcess = async (pid: number, env?: Environment): Promise<number | null | undefined> => {
  const outputs = await pactlJson(outputsSchema, 'source-outputs', env)
  if (!outputs) return undefined
  const own = outputs.find(({ properties }) => properties?.['application.process.id'] === String(pid))
  return own?.source ?? null
}
