import { ROOT_CONTEXT } from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import type { TraceSettings } from './open-traces.ts'
import type { TraceParent } from './traceparent.ts'

/** Whether a trace is recorded; `parent` where somebody has decided that already who may. */
export type Draw = (traceId: string, parent: TraceParent | undefined) => boolean

const rootOf = ({ sampler, ratio }: Pick<TraceSettings, 'sampler' | 'ratio'>): ((traceId: string) => boolean) => {
  if (sampler.endsWith('always_on')) return () => true
  if (sampler.endsWith('always_off')) return () => false
  // The library's, because others decide by the same digits of the id.
  const drawn = new TraceIdRatioBasedSampler(ratio)
  return (traceId) => drawn.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
}

/**
 * The samplers of OpenTelemetry's specification, asked before anything is made: what is not recorded, which is most of it,
 * costs no span.
 */
export const drawOf = (settings: Pick<TraceSettings, 'sampler' | 'ratio'>): Draw => {
  const root = rootOf(settings)
  const follows = settings.sampler.startsWith('parentbased_')
  return (traceId, parent) => (follows && parent ? parent.isSampled : root(traceId))
}
