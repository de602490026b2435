import type { Needs } from '../../kernel/call.ts'
import type { Scope } from '../../kernel/scope.ts'
import { findEnvelope } from '../events/events.service.ts'

/** Bodies kept: an envelope is small, and what goes to many endpoints goes at about the same time. */
const MAX_BODIES = 500

/** The bytes of an event as they are posted. */
export type BodyOf = (scope: Scope, seq: number) => Promise<Buffer>

/** Remembers the bodies sent last. A published event never changes, so nothing has to be looked at again. */
export const createBodyCache = (call: Needs<'reader'>): BodyOf => {
  const known = new Map<string, Promise<Buffer>>()
  return (scope, seq) => {
    const name = `${scope.orgId} ${scope.environment} ${seq}`
    const found = known.get(name)
    if (found) return found
    const body = findEnvelope({ ...call, scope }, seq).then((text) => Buffer.from(text, 'utf8'))
    const [oldest] = known.keys()
    if (known.size >= MAX_BODIES && oldest !== undefined) known.delete(oldest)
    known.set(name, body)
    body.catch(() => known.delete(name))
    return body
  }
}
