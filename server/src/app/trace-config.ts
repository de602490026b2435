import * as z from 'zod'
import { samplerNames, type TraceSettings } from '../platform/traces/open-traces.ts'

const address = z.url({ protocol: /^https?$/, error: 'must be http://… or https://…' }).optional()

/** By the names of OpenTelemetry's specification, so that what an operator sets for every service is right here too. */
export const traceSchema = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .string()
    .refine((text) => text !== 'grpc', 'must be http/json: spans go over HTTP, to port 4318 of a collector')
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(200).default('interview-integrity'),
  OTEL_TRACES_SAMPLER: z.enum(samplerNames).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
}

const schema = z.object(traceSchema)

/** The address of all signals is one below which each has its path; that of traces alone is taken as it is. */
const urlOf = (c: z.output<typeof schema>): string | undefined => {
  if (c.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined) return c.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const all = c.OTEL_EXPORTER_OTLP_ENDPOINT
  return all === undefined ? undefined : `${all.replace(/\/+$/, '')}/v1/traces`
}

export const tracesOf = (c: z.output<typeof schema>): TraceSettings | undefined => {
  const url = urlOf(c)
  if (url === undefined || c.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  return { url, serviceName: c.OTEL_SERVICE_NAME, sampler: c.OTEL_TRACES_SAMPLER, ratio: c.OTEL_TRACES_SAMPLER_ARG }
}
