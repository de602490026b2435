import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/types.ts'
import { type AuditRow, canonicalParts, genesisHash, rowHash, sealPayload } from './audit.chain.ts'
import { appendAllHashed, appendHashed, insertPayload, insertRows, lockHead, type UnhashedRow } from './audit.store.ts'
import type { ActedEntry, Audit } from './audit.types.ts'

type Unlinked = Omit<AuditRow, 'seq' | 'prevHash' | 'at'> & { readonly at: number }

const columnsOf = ({ actor, ...row }: Unlinked) => ({ ...row, actorKind: actor.kind, actorId: actor.id })

/** Locks the head, and hashes here: for a database whose writer is alone anyway. Answers the `seq` of the first. */
const appendHere = async (tx: Tx, orgId: string, rows: readonly Unlinked[]): Promise<number> => {
  const head = await lockHead(tx, orgId)
  let prevHash = head.seq === 0 ? genesisHash : head.hash
  const linked = rows.map((row, n) => {
    const link = { seq: head.seq + n + 1, prevHash }
    prevHash = rowHash({ ...row, ...link, at: new Date(row.at).toISOString() })
    return { ...columnsOf(row), ...link, hash: prevHash }
  })
  await insertRows(tx, linked)
  return head.seq + 1
}

/** The row without its place, for the statements that lock the head and hash by themselves. */
const unhashed = (row: Unlinked) => {
  const parts = canonicalParts({ ...row, at: new Date(row.at).toISOString() })
  return { ...columnsOf(row), parts, genesis: genesisHash }
}

const appendInSql = (tx: Tx, orgId: string, rows: readonly UnhashedRow[]): Promise<number> =>
  rows.length === 1 ? appendHashed(tx, rows[0]!) : appendAllHashed(tx, orgId, rows)

/** The row of an entry before it has a place in the chain, and its payload ready to be stored. */
const prepareRow = (orgId: string, at: number, entry: ActedEntry) => {
  const { actor, action, target, sessionId = null, payload } = entry
  const sealed = payload ? sealPayload(payload) : undefined
  const who = { kind: actor.kind, id: actor.id }
  const row: Unlinked = { orgId, at, actor: who, action, target, sessionId, payloadHash: sealed?.hash ?? null }
  return { row, sealed }
}

export const createAudit = (clock: Clock): Audit => {
  const appendAll: Audit['appendAll'] = async ({ tx, scope: { orgId } }, entries) => {
    if (entries.length === 0) return
    const at = clock.now()
    const prepared = entries.map((entry) => prepareRow(orgId, at, entry))
    const rows = prepared.map(({ row }) => row)
    const first = tx.hashesInSql ? await appendInSql(tx, orgId, rows.map(unhashed)) : await appendHere(tx, orgId, rows)
    for (const [n, { sealed }] of prepared.entries())
      if (sealed) await insertPayload(tx, orgId, first + n, sealed.salt, sealed.text)
  }
  return { append: (call, entry) => appendAll(call, [{ ...entry, actor: call.actor }]), appendAll }
}
