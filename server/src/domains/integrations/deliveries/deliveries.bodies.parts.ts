import type { Needs } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { Cache } from '../../../platform/cache.ts'
import { findEnvelope } from '../events/events.service.ts'

/** Bodies kept: an envelope is small, and what goes to many endpoints goes at about the same time. */
const maxBodies = 500
/** An erasure may take words out of an event: no process sends what it has read for longer. */
const bodyAgeMs = 10_000

/** The bytes of an event as they are posted. */
export type BodyOf = (scope: Scope, seq: number) => Promise<Buffer>

/** Remembers the bodies sent last. */
export const createBodyCache = (call: Needs<'clock' | 'reader'>): BodyOf => {
  const age = { ms: bodyAgeMs, now: () => call.clock.now() }
  const known = new Cache<Promise<Buffer>>({ limit: maxBodies, age })
  return (scope, seq) =>
    known.getOrMake(`${scope.orgId} ${scope.environment} ${seq}`, async () =>
      Buffer.from(await findEnvelope({ ...call, scope }, seq), 'utf8'),
    )
}
