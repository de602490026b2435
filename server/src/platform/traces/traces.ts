/** What a span is about; each is one place in the code. */
export type SpanKind = 'request' | 'transaction' | 'outbox' | 'delivery' | 'job' | 'storage'

/**
 * What a span may say, beside its name: words of ours and numbers, after OpenTelemetry's conventions where it has one. No id of
 * a person, a session or an organisation is among them, no path, no query, no host and no message of an error.
 */
export interface SpanFacts {
  readonly 'http.request.method'?: string
  /** The path as the contract has it, `/v1/sessions/{id}`. */
  readonly 'http.route'?: string
  readonly 'http.response.status_code'?: number
  /** The name of an error's class, or the code of a refusal. */
  readonly 'error.type'?: string
  /** By which the log is searched, and the answers of the service name it. */
  readonly 'app.request_id'?: string
  readonly 'app.event_type'?: string
  readonly 'app.attempt'?: number
  readonly 'app.outcome'?: string
}

export interface NewSpan {
  readonly kind: SpanKind
  /** Of a few: an endpoint, a kind of job, a type of event. */
  readonly name: string
  readonly facts?: SpanFacts
}

/** A piece of work that begins a trace here, or goes on with one from elsewhere. */
export interface NewRoot extends NewSpan {
  /** A `traceparent`: the caller's, or the row's. */
  readonly parent: string | null | undefined
  /** False where anybody may have sent it: then it says which trace this is, and not whether it is recorded. */
  readonly decides: boolean
  readonly requestId: string | undefined
}

export interface OpenSpan {
  /** `traceparent` of what this leads to. Null where traces are off. */
  readonly traceparent: () => string | null
  run<T>(work: () => T): T
  /** The second time it does nothing. */
  end(facts?: SpanFacts): void
}

/** Traces of what happens in and after a request. Where they are off nothing is loaded, kept or sent. */
export interface Traces {
  begin(span: NewRoot): OpenSpan
  /** A step of the work that goes on; no span where that is none of a trace, or of one that is not recorded. */
  step<T>(span: NewSpan & { readonly requestId?: string | undefined }, work: () => Promise<T>): Promise<T>
  /**
   * The `traceparent` of the work that goes on, for what outlives it. Of the request that is named, where several share a
   * transaction.
   */
  here(requestId?: string | null): string | null
  /** Sends what waits, and ends. */
  stop(): Promise<void>
}

const noSpan: OpenSpan = { traceparent: () => null, run: (work) => work(), end: () => undefined }

export const noTraces: Traces = {
  begin: () => noSpan,
  step: (_span, work) => work(),
  here: () => null,
  stop: () => Promise.resolve(),
}
