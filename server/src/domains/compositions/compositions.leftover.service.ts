import type { Needs, Writes } from '../../kernel/call.ts'
import { enqueueRemoval } from '../evidence/evidence.erase.service.ts'

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
