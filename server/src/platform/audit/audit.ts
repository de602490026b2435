import type { Clock } from '../clock.ts'
import { genesisHash, rowHash, sealPayload } from './audit.chain.ts'
import { insertPayload, insertRow, lockHead } from './audit.store.ts'
import type { Audit } from './audit.types.ts'

export const createAudit = (clock: Clock): Audit => ({
  async append(tx, orgId, { actor, action, target, sessionId = null, payload }) {
    const head = await lockHead(tx, orgId)
    const sealed = payload ? sealPayload(payload) : undefined
    const seq = head.seq + 1
    const at = clock.now()
    const prevHash = head.seq === 0 ? genesisHash : head.hash
    const committed = { action, target, sessionId, payloadHash: sealed?.hash ?? null, prevHash, orgId, seq }
    const hash = rowHash({ ...committed, at: new Date(at).toISOString(), actor: { kind: actor.kind, id: actor.id } })
    await insertRow(tx, { ...committed, at, actorKind: actor.kind, actorId: actor.id, hash })
    if (sealed) await insertPayload(tx, orgId, seq, sealed.salt, sealed.text)
  },
})
