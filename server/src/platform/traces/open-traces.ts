import type { Log } from '../log/log.ts'
import { noTraces, type Traces } from './traces.ts'

/** The samplers of OpenTelemetry's specification that can be asked for by their names. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface TraceSettings {
  /** Where spans go, OTLP over HTTP; absent: traces are off. */
  readonly url: string
  readonly serviceName: string
  readonly sampler: (typeof samplerNames)[number]
  /** Of traces, 0 to 1; for the samplers with a ratio. */
  readonly ratio: number
}

/** Loads OpenTelemetry where it is asked for, and only there. */
export const openTraces = async (
  settings: TraceSettings | undefined,
  about: { readonly version: string; readonly log: Log },
): Promise<Traces> => {
  if (settings === undefined) return noTraces
  const { otelTraces } = await import('./otel-traces.ts')
  return otelTraces(settings, about)
}
