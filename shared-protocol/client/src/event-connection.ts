import { linkSignals, reasonOf, stopped } from './abort.ts'
import { IntegrityError } from './errors.ts'
import { refusalOf, type Wire } from './exchange.ts'
import { createSseParser, type SseMessage } from './sse-parser.ts'

/** Three heartbeats of the service: a stream that is silent for so long is broken, whatever TCP says. */
const silenceMs = 45_000

export interface Connecting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** For the answer to begin. Milliseconds. */
  readonly timeoutMs: number
  /** Told what the server asks to wait before coming back. */
  onRetryHint(ms: number): void
}

const isStream = (response: Response): boolean =>
  /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')

/** Comes before all messages: the server has accepted, and what is published from now on will come. */
export const opened: SseMessage = { event: '', data: '', id: '' }

/** One connection: `opened`, then its messages until the server ends it. Throws when it is refused, breaks, or falls silent. */
export async function* readConnection(wire: Wire, connecting: Connecting): AsyncGenerator<SseMessage, void, undefined> {
  const { runtime } = wire
  const connection = linkSignals(runtime, [connecting.signal])
  let waiting = linkSignals(runtime, [connection.signal], connecting.timeoutMs)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  try {
    const { url, headers } = connecting
    const init: RequestInit = { headers, cache: 'no-store', redirect: 'manual', signal: connection.signal }
    const cutOff = () => connection.abort(waiting.signal.reason)
    waiting.signal.addEventListener('abort', cutOff)
    const response = await wire.fetch(url, init)
    if (!response.ok || !isStream(response) || !response.body)
      throw refusalOf(response, isStream(response) ? '' : await response.text(), runtime.now())
    waiting.release()
    yield opened
    reader = response.body.getReader()
    const parser = createSseParser()
    for (;;) {
      waiting = linkSignals(runtime, [connection.signal], silenceMs)
      waiting.signal.addEventListener('abort', cutOff)
      const { done, value } = await reader.read()
      waiting.release()
      if (done) return
      const messages = parser.push(value)
      if (parser.retryMs !== undefined) connecting.onRetryHint(parser.retryMs)
      yield* messages
    }
  } catch (cause) {
    if (cause instanceof IntegrityError) throw cause
    if (connecting.signal.aborted) throw reasonOf(connecting.signal)
    if (waiting.timedOut) throw new IntegrityError({ code: 'timeout', message: 'the event stream fell silent', cause })
    throw new IntegrityError({ code: 'no_answer', message: 'the event stream broke off', cause })
  } finally {
    waiting.release()
    connection.abort(stopped('AbortError', 'the stream is not read any more'))
    connection.release()
    await reader?.cancel().catch(() => undefined)
  }
}
