import type { Clock } from '../clock.ts'
import type { Tx } from '../db/types.ts'
import { type AuditRow, canonicalParts, genesisHash, rowHash, sealPayload } from './audit.chain.ts'
import { appendAllHashed, appendHashed, insertPayload, insertRow, lockHead } from './audit.store.ts'
import type { Audit, AuditEntry } from './audit.types.ts'

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

/** The row without its place, for the statements that lock the head and hash by themselves. */
const unhashed = (row: Unlinked) => {
  const parts = canonicalParts({ ...row, at: new Date(row.at).toISOString() })
  return { ...columnsOf(row), parts, genesis: genesisHash }
}

/** The row of an entry before it has a place in the chain, and its payload ready to be stored. */
const prepareRow = (orgId: string, at: number, entry: AuditEntry) => {
  const { actor, action, target, sessionId = null, payload } = entry
  const sealed = payload ? sealPayload(payload) : undefined
  const who = { kind: actor.kind, id: actor.id }
  const row: Unlinked = { orgId, at, actor: who, action, target, sessionId, payloadHash: sealed?.hash ?? null }
  return { row, sealed }
}

export const createAudit = (clock: Clock): Audit => {
  const append: Audit['append'] = async (tx, orgId, entry) => {
    const { row, sealed } = prepareRow(orgId, clock.now(), entry)
    const seq = tx.hashesInSql ? await appendHashed(tx, unhashed(row)) : await appendHere(tx, row)
    if (sealed) await insertPayload(tx, orgId, seq, sealed.salt, sealed.text)
  }
  const appendAll: Audit['appendAll'] = async (tx, orgId, entries) => {
    if (!tx.hashesInSql) {
      for (const entry of entries) await append(tx, orgId, entry)
      return
    }
    if (entries.length === 0) return
    const at = clock.now()
    const rows = entries.map((entry) => prepareRow(orgId, at, entry))
    const first = await appendAllHashed(
      tx,
      orgId,
      rows.map(({ row }) => unhashed(row)),
    )
    for (const [n, { sealed }] of rows.entries())
      if (sealed) await insertPayload(tx, orgId, first + n, sealed.salt, sealed.text)
  }
  return { append, appendAll }
}
