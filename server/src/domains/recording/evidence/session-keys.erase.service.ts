import type { Needs } from '../../../kernel/call.ts'
import type { DomainEraser } from '../../../kernel/session-eraser.ts'
import { destroySessionKey } from './session-keys.store.ts'

/** Destroys the key of a session; a job takes what is left of it out of the database's files. */
export const sessionKeysEraser = ({ sessionKeys }: Needs<'sessionKeys'>): DomainEraser => ({
  order: 90,
  async erase(call, sessionId) {
    const { tx, scope, jobs } = call
    const place = { orgId: scope.orgId, sessionId }
    if (await destroySessionKey(tx, place))
      await jobs.enqueue(call, { kind: 'evidence.scrub', payload: {}, dedupeKey: 'evidence.scrub' })
    tx.afterCommit(() => sessionKeys.forget(place))
    return undefined
  },
})
