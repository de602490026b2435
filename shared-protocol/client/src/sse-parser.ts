import { IntegrityError } from './errors.ts'

export interface SseMessage {
  /** `message` where the stream names none. */
  readonly event: string
  readonly data: string
  /** The last id that the stream has named so far, not only in this message. */
  readonly id: string
}

/** No event of the service comes near it. Characters. */
const LONGEST = 4 * 1024 * 1024

/**
 * Reads a stream of Server-Sent Events (WHATWG HTML, section 9.2.6), however its bytes are cut: lines end with LF, CR or
 * CRLF, a byte order mark at the start and comments are passed over, and a message that the end cuts off is dropped.
 */
export const createSseParser = () => {
  const decoder = new TextDecoder()
  let rest = ''
  // A line feed right after a carriage return belongs to it, also when the next piece begins with it.
  let afterReturn = false
  let data: string[] = []
  let size = 0
  let event = ''
  let id = ''
  let retryMs: number | undefined

  const dispatch = (): SseMessage | undefined => {
    const message = data.length > 0 ? { event: event || 'message', data: data.join('\n'), id } : undefined
    data = []
    size = 0
    event = ''
    return message
  }

  const take = (line: string): SseMessage | undefined => {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') {
      data.push(value)
      size += value.length
    } else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
    return undefined
  }

  const guard = () => {
    if (rest.length + size <= LONGEST) return
    throw new IntegrityError({ code: 'unreadable_event', message: `an event of more than ${LONGEST} characters` })
  }

  return {
    /** The messages that these bytes complete. */
    push(bytes: Uint8Array): SseMessage[] {
      let text = decoder.decode(bytes, { stream: true })
      if (text === '') return []
      const fed = afterReturn && text.startsWith('\n')
      afterReturn = text.endsWith('\r')
      if (fed) text = text.slice(1)
      const messages: SseMessage[] = []
      const lines = text.split(/\r\n|\r|\n/)
      const last = lines.pop() ?? ''
      for (const line of lines) {
        const message = take(rest + line)
        rest = ''
        if (message) messages.push(message)
      }
      rest += last
      guard()
      return messages
    },
    /** What the server asked to wait before coming back. Milliseconds. */
    get retryMs() {
      return retryMs
    },
  }
}
