import { createParser } from 'eventsource-parser'
import { IntegrityError } from './errors.ts'

export interface SseMessage {
  /** `message` where the stream names none. */
  readonly event: string
  readonly data: string
  /** The last id that the stream has named so far, not only in this message. */
  readonly id: string
}

/** No event of the service comes near it. Characters. */
const longest = 4 * 1024 * 1024

/** Reads a stream of Server-Sent Events (WHATWG HTML, section 9.2.6) by its bytes, however they are cut. */
export const createSseParser = () => {
  // The parser takes the byte order mark off, and one that is taken off here would hide a second one from it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let messages: SseMessage[] = []
  let lastId = ''
  let retryMs: number | undefined

  const parser = createParser({
    maxBufferSize: longest,
    onId: (id) => {
      lastId = id
    },
    onEvent: ({ event = 'message', data }) => void messages.push({ event, data, id: lastId }),
    onRetry: (milliseconds) => {
      retryMs = milliseconds
    },
    // What it does not know it passes over, as the standard wants.
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return
      throw new IntegrityError({ code: 'unreadable_event', message: `an event of more than ${longest} characters` })
    },
  })

  return {
    /** The messages that these bytes complete. */
    push(bytes: Uint8Array): SseMessage[] {
      messages = []
      parser.feed(decoder.decode(bytes, { stream: true }))
      return messages
    },
    /** What the server asked to wait before coming back. Milliseconds. */
    get retryMs() {
      return retryMs
    },
  }
}
