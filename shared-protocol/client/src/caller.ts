import type { ArgumentsOf, LooseInput, Reply, TypesOf } from './calls.ts'
import { exchange, type Fetch, type Wire } from './exchange.ts'
import { buildRequest, type EndpointTable, type Sender } from './request.ts'
import { platformRuntime, type Runtime } from './runtime.ts'

export interface CallerOptions<Id extends PropertyKey = string> extends Sender {
  /** The endpoints that may be called: no more of them need to be loaded. */
  readonly table: EndpointTable<Id>
  readonly fetch?: Fetch | undefined
  /** For an answer; forever unless given. What is sent gets a second more for each 10 kB. Milliseconds. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onDate?: Wire['onDate']
  readonly runtime?: Runtime | undefined
}

/** One request and one answer of each call, typed by endpoint id; trying again is its caller's decision. */
export interface Caller<T extends TypesOf<T>> {
  /** Throws `IntegrityError`, or the reason of an aborted signal. */
  call<Id extends keyof T & string>(id: Id, ...input: ArgumentsOf<T[Id]>): Promise<Reply<T[Id]['result']>>
}

/** Bytes that the slowest link takes in a millisecond. */
const slowestLink = 10

export const wireOf = ({ fetch: send, runtime = platformRuntime, onDate }: CallerOptions): Wire => ({
  // Called as a plain function: a page's fetch refuses to be anybody's method.
  fetch: send ?? ((url, init) => fetch(url, init)),
  runtime,
  onDate,
})

/** The same with the types forgotten. */
export const createExchange = (options: CallerOptions) => {
  const wire = wireOf(options)
  return async (id: string, input: LooseInput): Promise<Reply<unknown>> => {
    const request = await buildRequest(options, options.table[id] ?? '', input)
    const { timeoutMs = options.timeoutMs } = input
    const patience = timeoutMs === undefined ? undefined : timeoutMs + Math.ceil(request.sizeBytes / slowestLink)
    return exchange(wire, request, [options.signal, input.signal], patience)
  }
}

export const createCaller = <T extends TypesOf<T>>(options: CallerOptions<keyof T>): Caller<T> => {
  const send = createExchange(options)
  return { call: async (id, ...[input]) => (await send(id, (input ?? {}) as LooseInput)) as never }
}
