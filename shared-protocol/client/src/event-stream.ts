import { backoffMs } from './backoff.ts'
import type { Send } from './calls.ts'
import { endpointRow } from './checked-input.ts'
import { type EventGap, EventGapError, IntegrityError } from './errors.ts'
import { opened, readConnection } from './event-connection.ts'
import { findMissed, newestId, wholeLog } from './event-gap.ts'
import { type EventType, type IntegrityEvent, readEvent } from './events.ts'
import type { Wire } from './exchange.ts'
import { createRecentIds } from './pages.ts'
import { commonHeaders, type EndpointTable, type Sender, urlOf } from './request.ts'
import { mayPass } from './retry.ts'
import type { SseMessage } from './sse-parser.ts'

export interface StreamOptions {
  /** Every type unless given. */
  readonly types?: readonly EventType[]
  readonly sessionId?: string
  /** Begins after this event; without it, with what comes next. Store `event.id` to go on after a restart. */
  readonly lastEventId?: string
  /** Ends the stream, and the loop over it, without an error. */
  readonly signal?: AbortSignal
  /** False leaves it to you to read what a gap swallowed from the log. */
  readonly reconcile?: boolean
  /** Told of a gap before its recovered events come. Without it, a gap that could not be closed ends the stream with `EventGapError`. */
  readonly onGap?: (gap: EventGap) => void
  /** Told before each wait for the next connection. */
  readonly onReconnect?: (state: {
    readonly failures: number
    readonly waitMs: number
    readonly cause: unknown
  }) => void
}

export interface StreamSource {
  readonly sender: Sender & { readonly table: EndpointTable }
  readonly wire: Wire
  readonly send: Send
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** The service replays 200 at most; more for those that a gap and the live stream both gave. */
const remembered = 4096
/** Whatever the server asks for. */
const shortestWaitMs = 100
const longestWaitMs = 30_000

interface Position {
  lastId: string | undefined
  /** Connections in a row that gave no event and did not last. */
  failures: number
  /** What the service asks to wait; its own default until it says so. */
  retryMs: number
  readonly seen: ReturnType<typeof createRecentIds>
}

const filtersOf = ({ types, sessionId }: StreamOptions) => ({ types: types?.join(','), sessionId })

const parsed = (message: SseMessage): IntegrityEvent => {
  const event = readEvent(message.data)
  if (!event) {
    const what = `an event of the stream could not be read (${message.id})`
    throw new IntegrityError({ code: 'unreadable_event', message: what })
  }
  return event
}

const gapOf = (message: SseMessage): Pick<EventGap, 'requested' | 'oldest'> => {
  const said = JSON.parse(message.data) as Partial<Pick<EventGap, 'requested' | 'oldest'>>
  return { requested: said.requested ?? '', oldest: said.oldest ?? null }
}

/** Tells of the gap and gives what the log still has of it, oldest first. */
async function* closeGap(source: StreamSource, options: StreamOptions, message: SseMessage) {
  const said = gapOf(message)
  const missed = options.reconcile === false ? undefined : await findMissed(source, filtersOf(options), said.requested)
  const gap: EventGap = { ...said, recovered: missed?.events.length ?? 0, complete: missed?.complete ?? false }
  if (options.onGap) options.onGap(gap)
  else if (!gap.complete) throw new EventGapError(gap)
  yield* missed?.events ?? []
}

async function* oneConnection(source: StreamSource, options: StreamOptions, position: Position) {
  const { sender, wire, signal, timeoutMs } = source
  const headers = await commonHeaders(sender, 'text/event-stream')
  if (position.lastId !== undefined) headers['last-event-id'] = position.lastId
  const url = urlOf(sender, endpointRow(sender.table, 'events.stream').path, {}, filtersOf(options))
  const onRetryHint = (ms: number) => {
    position.retryMs = Math.min(Math.max(ms, shortestWaitMs), longestWaitMs)
  }
  for await (const message of readConnection(wire, { url, headers, signal, timeoutMs, onRetryHint })) {
    // There was nothing to resume after: whatever the log holds by now was published since.
    if (message === opened) yield* position.lastId === undefined ? await wholeLog(source, filtersOf(options)) : []
    else if (message.event === 'gap') yield* closeGap(source, options, message)
    else yield parsed(message)
  }
}

/**
 * Live events, each once and in order, over as many connections as it takes: it resumes after the last event, waits
 * longer after each failure, and never silently passes over a gap. A refusal that will not pass (a wrong key) is thrown.
 */
export async function* streamEventsOf(
  source: StreamSource,
  options: StreamOptions,
): AsyncGenerator<IntegrityEvent, void, undefined> {
  const { signal, wire } = source
  const position: Position = {
    lastId: options.lastEventId,
    failures: 0,
    retryMs: 3000,
    seen: createRecentIds(remembered),
  }
  let knowsStart = position.lastId !== undefined
  while (!signal.aborted) {
    let cause: unknown
    const began = wire.runtime.now()
    try {
      if (!knowsStart) position.lastId = await newestId(source, filtersOf(options))
      knowsStart = true
      for await (const event of oneConnection(source, options, position)) {
        if (!position.seen.add(event.id)) continue
        position.lastId = event.id
        position.failures = 0
        yield event
        if (signal.aborted) return
      }
    } catch (error) {
      if (signal.aborted) return
      if (!mayPass(error)) throw error
      cause = error
    }
    if (wire.runtime.now() - began > longestWaitMs) position.failures = 0
    position.failures += 1
    // Never at once: a server that ends every connection is asked again less and less often.
    const { random } = wire.runtime
    const askedMs = cause instanceof IntegrityError ? cause.retryAfterMs : undefined
    const law = { baseMs: position.retryMs, capMs: longestWaitMs, random, askedMs }
    const waitMs = position.retryMs / 2 + backoffMs(position.failures, law)
    options.onReconnect?.({ failures: position.failures, waitMs, cause })
    await wire.runtime.sleep(waitMs, signal).catch(() => undefined)
  }
}
