import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  SpanKind as Kind,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../log/log.ts'
import type { TraceSettings } from './open-traces.ts'
import { drawOf } from './samplers.ts'
import { readTraceParent, type TraceParent, writeTraceParent } from './traceparent.ts'
import type { NewRoot, NewSpan, OpenSpan, SpanKind, Traces } from './traces.ts'

/** Where work stands. */
interface Place {
  /** Absent where nothing is recorded. */
  readonly span: Span | undefined
  readonly requestId: string | undefined
  readonly traceparent: () => string
}

const kinds: Readonly<Record<SpanKind, Kind>> = {
  request: Kind.SERVER,
  transaction: Kind.INTERNAL,
  outbox: Kind.PRODUCER,
  delivery: Kind.CLIENT,
  job: Kind.CONSUMER,
  storage: Kind.INTERNAL,
}

/** A collector that cannot be reached is said in the log this often. Milliseconds. */
const sayEveryMs = 60_000

/** The exporter, whose failures are told: the library keeps them to itself. */
const told = (exporter: SpanExporter, log: Log): SpanExporter => {
  let saidAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // 0 is success.
        if (result.code !== 0 && performance.now() - saidAt > sayEveryMs) {
          saidAt = performance.now()
          log.warn({ err: result.error, spans: spans.length }, 'traces could not be sent to the collector')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

const providerOf = (
  settings: TraceSettings,
  { version, log }: { readonly version: string; readonly log: Log },
  ids: IdGenerator,
) => {
  const named = resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version })
  return new TracerProvider({
    // What OTEL_RESOURCE_ATTRIBUTES says; nothing is looked for on this machine.
    resource: detectResources({ detectors: [resourceAttributesEnvDetector] }).merge(named),
    // Decided before: see `drawOf`.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: told(new OTLPTraceExporter({ url: settings.url }), log) })],
  })
}

const fail = (span: Span, error: unknown): void => {
  span.setStatus({ code: SpanStatusCode.ERROR })
  // Its message may hold anything.
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
}

const placeOf = (span: Span, requestId: string | undefined): Place => {
  const { traceId, spanId } = span.spanContext()
  return { span, requestId, traceparent: () => writeTraceParent({ traceId, spanId, isSampled: true }) }
}

/** Of most work nothing is recorded. It hands on that this is so, where it leads to anything at all. */
const quietPlace = (traceId: string, requestId: string | undefined, newSpanId: () => string): Place => {
  let text: string | undefined
  const traceparent = () => {
    text ??= writeTraceParent({ traceId, spanId: newSpanId(), isSampled: false })
    return text
  }
  return { span: undefined, requestId, traceparent }
}

const contextOf = ({ traceId, spanId }: TraceParent): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true })

/** Where the work of this process stands. Requests that share a transaction stand in the place of one of them. */
const openPlaces = () => {
  const places = new AsyncLocalStorage<Place>()
  const requests = new Map<string, Place>()
  return {
    run: <T>(place: Place, work: () => T): T => places.run(place, work),
    standing: (requestId: string | null | undefined): Place | undefined => {
      const here = places.getStore()
      if (requestId === undefined || requestId === null || here?.requestId === requestId) return here
      return requests.get(requestId) ?? here
    },
    /** @returns what forgets it */
    share: (requestId: string, place: Place) => {
      requests.set(requestId, place)
      return () => void requests.delete(requestId)
    },
  }
}

/** Traces by OpenTelemetry's own library, sent in batches. Registers nothing globally. */
export const otelTraces = (settings: TraceSettings, about: { readonly version: string; readonly log: Log }): Traces => {
  const random = new RandomIdGenerator()
  const newSpanId = () => random.generateSpanId()
  let drawn = ''
  // A trace that begins here has the id by which it was drawn.
  const provider = providerOf(settings, about, { generateTraceId: () => drawn, generateSpanId: newSpanId })
  const tracer = provider.getTracer(settings.serviceName, about.version)
  const isDrawn = drawOf(settings)
  const { run, standing, share } = openPlaces()

  const open = ({ kind, name, facts = {} }: NewSpan, context: Context): Span =>
    tracer.startSpan(name, { kind: kinds[kind], attributes: { ...facts } }, context)
  const begun = (given: NewRoot): Place => {
    const parent = readTraceParent(given.parent)
    const traceId = parent?.traceId ?? random.generateTraceId()
    if (!isDrawn(traceId, given.decides ? parent : undefined)) return quietPlace(traceId, given.requestId, newSpanId)
    drawn = traceId
    return placeOf(open(given, parent ? contextOf(parent) : ROOT_CONTEXT), given.requestId)
  }

  const begin = (given: NewRoot): OpenSpan => {
    const place = begun(given)
    const { span } = place
    const isShared = given.kind === 'request' && given.requestId !== undefined
    const forget = isShared ? share(given.requestId, place) : undefined
    return {
      traceparent: place.traceparent,
      run: (work) => run(place, work),
      end: (facts = {}) => {
        forget?.()
        if (!span?.isRecording()) return
        span.setAttributes({ ...facts })
        if (facts['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  return {
    begin,
    step: async (given, work) => {
      const parent = standing(given.requestId)
      if (!parent?.span) return work()
      const span = open(given, trace.setSpan(ROOT_CONTEXT, parent.span))
      try {
        return await run(placeOf(span, parent.requestId), work)
      } catch (error) {
        fail(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    here: (requestId) => standing(requestId)?.traceparent() ?? null,
    stop: () => provider.shutdown().catch(() => undefined),
  }
}
