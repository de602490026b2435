import type { EventDataByType } from './endpoint-types.ts'

export type EventType = keyof EventDataByType

interface Envelope<Type, Data> {
  /** Unique. An event may be delivered more than once: a receiver that must not act twice remembers it. */
  readonly id: string
  readonly type: Type
  /** Absent for events with no session. */
  readonly sessionId?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly apiVersion: string
  readonly catalogVersion: string
  readonly data: Data
}

/** An event of this version's catalogue: `event.type === 'session.ended'` narrows `event.data`. */
export type KnownEvent = { [T in EventType]: Envelope<T, EventDataByType[T]> }[EventType]
/**
 * An event of a type that the service has learnt since. The name stands in for all of those, because narrowing works by
 * literals only; the real `type` is another string.
 */
export type UnknownEvent = Envelope<'(a newer type)', Readonly<Record<string, unknown>>>
/**
 * What a webhook or the stream brings: give a `switch` over its type a `default`.
 *
 * @example
 * ```ts
 * const describe = (event: IntegrityEvent): string => {
 *   switch (event.type) {
 *     case 'session.ended':
 *       return `${event.data.session.id} ended`
 *     default:
 *       return `${event.id} is of another type`
 *   }
 * }
 * ```
 */
export type IntegrityEvent = KnownEvent | UnknownEvent

/** The envelope in a text; undefined when it is none. */
export const readEvent = (text: string): IntegrityEvent | undefined => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { id, type, data } = parsed as Partial<Record<string, unknown>>
  const isEvent = typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null
  return isEvent ? (parsed as IntegrityEvent) : undefined
}
