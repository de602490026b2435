import { type EvidenceSource, laneOfSource } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { sourceOf } from './evidence.source.model.ts'
import { type HeldObject, listHeld, listHeldInFull } from './held.store.ts'
import { knownFiles } from './objects.store.ts'

const inLane = (row: Omit<HeldObject, 'lane' | 'source'>, source: EvidenceSource): HeldObject => ({
  source,
  lane: laneOfSource(source),
  evidenceType: row.evidenceType,
  capturedAt: row.capturedAt,
  durationMs: row.durationMs,
})

/** What the service holds of a session: not erased, each type in the order of capture. The caller has found the session. */
export const heldObjects = async (
  { reader, scope }: Pick<Reads, 'reader' | 'scope'>,
  sessionId: string,
): Promise<HeldObject[]> => {
  const held: HeldObject[] = []
  for (const row of await listHeld(reader, scope, sessionId)) {
    if (row.source === null) {
      const rows = await listHeldInFull(reader, scope, sessionId)
      return rows.map((one) => inLane(one, sourceOf(one)))
    }
    held.push(inLane(row, row.source))
  }
  return held
}

/** Those of these stored files that an organisation has no row of, shredded ones counted as known. */
export const unknownFiles = async (
  { reader }: Pick<Reads, 'reader'>,
  { orgId, ids }: { readonly orgId: string; readonly ids: readonly string[] },
): Promise<string[]> => {
  if (ids.length === 0) return []
  const known = new Set(await knownFiles(reader, orgId, ids))
  return ids.filter((id) => !known.has(id))
}
