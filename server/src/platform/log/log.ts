import { format } from 'node:util'
import { pino } from 'pino'
import { redactValue } from './redact.ts'
import { scrubLine, scrubText } from './scrub.ts'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/** Fields (or an error) and then a message, or a message alone. */
export interface LogMethod {
  (fields: object, message?: string): void
  (message: string): void
}

export interface Log {
  readonly trace: LogMethod
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  readonly fatal: LogMethod
  /** A log whose every line carries `bindings` too (`{ requestId }`). They are redacted like everything else. */
  child(bindings: Record<string, unknown>): Log
}

export interface LogOptions {
  readonly level: LogLevel
  /** Gets whole lines, each ending in a newline. Standard output unless given. */
  readonly destination?: { write(line: string): unknown }
  /** Further key names to hide, for what only a caller knows to be personal (`['candidateLabel']`). */
  readonly hiddenKeys?: readonly string[]
}

/**
 * Structured log, one JSON object for each line: `level` in words, `time` in ISO 8601, `msg`, and the fields given.
 * No secret, token or password reaches the output: fields are redacted by key and by content, messages scrubbed, and
 * the finished line is searched once more for our own prefixes.
 */
export const createLog = ({ level, destination, hiddenKeys = [] }: LogOptions): Log => {
  const extra = new Set(hiddenKeys.map((key) => key.toLowerCase().replace(/[-_\s]/g, '')))
  const out = destination ?? pino.destination({ dest: 1, sync: true })
  const redactFields = (fields: object): object => {
    if (fields instanceof Error) return { err: redactValue(fields, 0, extra) }
    const redacted = redactValue(fields, 0, extra)
    return typeof redacted === 'object' && redacted !== null ? redacted : { value: redacted }
  }
  const messageOf = (parts: unknown[]): string | undefined => {
    const plain = parts.map((part) => (typeof part === 'string' ? part : redactValue(part, 0, extra)))
    return plain.length === 0 ? undefined : scrubText(format(...plain))
  }
  const root = pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      // The redaction below has already made errors plain; pino's own serializer would want the Error back.
      serializers: { err: (value: unknown) => value },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[]
          if (typeof first !== 'object' || first === null) {
            method.apply(this, [messageOf(args as unknown[]) ?? ''])
            return
          }
          const message = messageOf(rest) ?? (first instanceof Error ? scrubText(first.message) : undefined)
          method.apply(this, [redactFields(first) as never, ...(message === undefined ? [] : [message as never])])
        },
      },
    },
    { write: (line: string) => out.write(scrubLine(line)) },
  )
  // oxlint-disable-next-line typescript/unbound-method -- called on its own object below
  const makeChild = root.child
  // Children inherit from their parent, so this one replacement covers grandchildren too.
  return Object.assign(root, {
    child(this: typeof root, bindings: Record<string, unknown>) {
      return makeChild.call(this, redactFields(bindings) as Record<string, unknown>)
    },
  })
}
