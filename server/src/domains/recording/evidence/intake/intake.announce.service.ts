import { laneOfSource } from '@integrity/protocol'
import { TreeHashes } from '../../../../kernel/audit/audit.tree.ts'
import type { Needs, WriteCall } from '../../../../kernel/call.ts'
import { noteChange } from '../../../interviews/reviews/changes.service.ts'
import type { SessionRow } from '../../../interviews/sessions/sessions.types.ts'
import { sessionRef } from '../../../interviews/sessions/sessions.view.ts'
import { evidenceRecords } from '../evidence.records.service.ts'
import { sentByOf, sourceOf } from '../evidence.source.model.ts'
import type { EvidenceRow } from '../evidence.types.ts'
import { type Amount, addUsage } from '../usage.store.ts'

/** RFC 9162 over `<id> <evidenceType> <sizeBytes> <sha256>` of each item, in the order of their ids. */
const packRoot = (rows: readonly EvidenceRow[]): string => {
  const leaves = rows.map(({ id, evidenceType, sizeBytes, sha256 }) => `${id} ${evidenceType} ${sizeBytes} ${sha256}`)
  const tree = new TreeHashes()
  for (const leaf of leaves.toSorted()) tree.add(Buffer.from(leaf))
  return tree.root().toString('hex')
}

const total = (rows: readonly EvidenceRow[]): number => rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

const amountsOf = (rows: readonly EvidenceRow[]): Amount[] =>
  [...Map.groupBy(rows, ({ evidenceType }) => evidenceType)].map(([evidenceType, ofType]) => ({
    evidenceType,
    objects: ofType.length,
    sizeBytes: total(ofType),
  }))

/** As it is published: what a display is called goes with an erasure, and what was published stays. */
const readyItem = (row: EvidenceRow) => ({
  id: row.id,
  evidenceType: row.evidenceType,
  source: laneOfSource(sourceOf(row)),
  sentBy: sentByOf(row),
  sizeBytes: row.sizeBytes,
  capturedAt: new Date(row.capturedAt).toISOString(),
})

/** What a row alone, or rows that came together, are to the trail. */
const entryOf = (rows: readonly EvidenceRow[], packId: string | undefined) => {
  if (packId !== undefined) {
    const payload = { items: rows.length, sizeBytes: total(rows), root: packRoot(rows) }
    return { action: 'evidence.pack_stored', target: packId, payload } as const
  }
  const [{ id, evidenceType, sizeBytes, sha256 }] = rows as [EvidenceRow]
  return { action: 'evidence.stored', target: id, payload: { evidenceType, sizeBytes, sha256 } } as const
}

/** Says of new rows what has to be said: one audit row that commits to each, one update of the counts, one event. */
export const announce = async (
  call: WriteCall & Needs<'metrics'>,
  {
    session,
    rows,
    packId,
  }: { readonly session: SessionRow; readonly rows: readonly EvidenceRow[]; readonly packId: string | undefined },
): Promise<void> => {
  const { tx, scope, clock, metrics } = call
  const records = rows.flatMap(evidenceRecords)
  await call.audit.append(call, { ...entryOf(rows, packId), sessionId: session.id, records })
  await addUsage(tx, scope.orgId, clock.now(), { added: amountsOf(rows) })
  const items = rows.map(readyItem)
  await call.outbox.publish(call, {
    type: 'evidence.ready',
    sessionId: session.id,
    data: { session: sessionRef(session), items, ...(items.length === 1 ? { evidence: items[0]! } : {}) },
  })
  tx.afterCommit(() => {
    for (const { evidenceType, sizeBytes } of rows) metrics.stored(evidenceType, sizeBytes)
  })
  if (session.state === 'ended') await noteChange(call, { session: sessionRef(session), cause: 'evidence' })
}
