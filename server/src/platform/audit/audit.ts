import type { Clock } from '../clock.ts'
import type { Tx } from '../db/types.ts'
import { type AuditRow, canonicalParts, genesisHash, rowHash, sealPayload } from './audit.chain.ts'
import { appendHashed, insertPayload, insertRow, lockHead } from './audit.store.ts'
import type { Audit } from './audit.types.ts'

type Unlinked = Omit<AuditRow, 'seq' | 'prevHash' | 'at'> & { readonly at: number }

const columnsOf = ({ actor, ...row }: Unlinked) => ({ ...row, actorKind: actor.kind, actorId: actor.id })

/** Locks the head, and hashes here: for a database whose writer is alone anyway. */
const appendHere = async (tx: Tx, row: Unlinked): Promise<number> => {
  const head = await lockHead(tx, row.orgId)
  const link = { seq: head.seq + 1, prevHash: head.seq === 0 ? genesisHash : head.hash }
  const hash = rowHash({ ...row, ...link, at: new Date(row.at).toISOString() })
  await insertRow(tx, { ...columnsOf(row), ...link, hash })
  return link.seq
}

const appendThere = (tx: Tx, row: Unlinked): Promise<number> => {
  const parts = canonicalParts({ ...row, at: new Date(row.at).toISOString() })
  return appendHashed(tx, { ...columnsOf(row), parts, genesis: genesisHash })
}

export const createAudit = (clock: Clock): Audit => ({
  async append(tx, orgId, { actor, action, target, sessionId = null, payload }) {
    const sealed = payload ? sealPayload(payload) : undefined
    const at = clock.now()
    const who = { kind: actor.kind, id: actor.id }
    const row = { orgId, at, actor: who, action, target, sessionId, payloadHash: sealed?.hash ?? null }
    const seq = tx.hashesInSql ? await appendThere(tx, row) : await appendHere(tx, row)
    if (sealed) await insertPayload(tx, orgId, seq, sealed.salt, sealed.text)
  },
})
