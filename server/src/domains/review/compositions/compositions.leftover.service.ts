import type { Needs, Reads, Writes } from '../../../kernel/call.ts'
import { enqueueRemoval } from '../../recording/evidence/evidence.erase.service.ts'
import { filmKeysOf } from './compositions.store.ts'

/** A film takes a quarter of an hour and its own length at most, which is a day: no run that is overtaken now stores anything then. */
const laterMs = 25 * 3_600_000

/**
 * Takes away where a run may be storing that is not wanted any more: at once, and again when it is over for certain. It
 * takes its bytes away itself, unless it is killed before.
 */
export const removeOvertaken = async (
  call: Writes & Needs<'jobs'>,
  { pendingKey, now }: { readonly pendingKey: string; readonly now: number },
): Promise<void> => {
  const bytes = { storeKeys: [pendingKey] }
  await enqueueRemoval(call, bytes)
  await call.jobs.enqueue(call, { kind: 'evidence.remove_bytes', payload: bytes, runAt: now + laterMs })
}

/** Of `cmp_…_rnd_…`. */
const compositionOf = (id: string): string => id.slice(0, id.lastIndexOf('_rnd_'))

/** Those of these stored films that no composition of an organisation names, as its film or as one that is being made. */
export const unknownFilms = async (
  { reader }: Pick<Reads, 'reader'>,
  { orgId, ids }: { readonly orgId: string; readonly ids: readonly string[] },
): Promise<string[]> => {
  const known = new Set(await filmKeysOf(reader, orgId, [...new Set(ids.map(compositionOf))]))
  return ids.filter((id) => !known.has(`${orgId}/${id}`))
}
