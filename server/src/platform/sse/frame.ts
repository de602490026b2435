export interface Frame {
  readonly id?: string
  readonly event?: string
  /** Text as it is, anything else as JSON. */
  readonly data: unknown
}

const field = (name: string, value: string | undefined): string => {
  if (value === undefined) return ''
  // A line break would begin a field of the sender's choice, and a NUL makes the browser drop the id.
  if (/[\r\n\0]/.test(value)) throw new TypeError(`an SSE ${name} must be one line`)
  return `${name}: ${value}\n`
}

/**
 * One event of a stream (WHATWG HTML, section 9.2), serialised once: the same bytes go to every connection.
 * Data with line breaks becomes several `data` lines.
 */
export const frame = ({ id, event, data }: Frame): Buffer => {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return Buffer.from(`${field('id', id)}${field('event', event)}${lines.join('')}\n`)
}

/** A line that clients skip: keeps proxies from closing a quiet stream. */
export const heartbeat: Buffer = Buffer.from(': heartbeat\n\n')

/** How long a client waits before it connects again. Milliseconds. */
export const retryHint = (ms: number): Buffer => Buffer.from(`retry: ${Math.round(ms)}\n\n`)
