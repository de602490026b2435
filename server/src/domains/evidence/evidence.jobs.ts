import * as z from 'zod'
import { defineJob, type JobCall, type JobRun } from '../../kernel/jobs/define-job.ts'
import { wholeKey } from '../../platform/storage/slice-key.ts'
import { listShredded } from './erasure.store.ts'

const removable = z.union([
  z.object({
    sessionId: z.string(),
    /** Positions; without them all of the session. */
    from: z.number().optional(),
    until: z.number().optional(),
  }),
  z.object({ storeKeys: z.array(z.string()).max(100).readonly() }),
])
type Removable = z.output<typeof removable>
const pageRows = 500
/** So many are removed side by side. */
const atOnce = 16

declare module '../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'evidence.remove_bytes': Removable
    'evidence.scrub': Record<string, never>
  }
}

/** Removes bytes from the store. Removing what is gone is no error, so a job cut off half-way simply runs again. */
const removeBytes = async ({ reader, scope, store }: JobCall, wanted: Removable, { signal }: JobRun): Promise<void> => {
  if ('storeKeys' in wanted) {
    for (const key of wanted.storeKeys) await store.remove(key)
    return
  }
  const { sessionId, from = 1, until = Number.MAX_SAFE_INTEGER } = wanted
  for (let after = from - 1; ; ) {
    const page = await listShredded(reader, scope, sessionId, { after, until, limit: pageRows })
    const keys = [...new Set(page.map(({ storeKey }) => wholeKey(storeKey)))]
    for (let first = 0; first < keys.length; first += atOnce) {
      signal.throwIfAborted()
      await Promise.all(keys.slice(first, first + atOnce).map((key) => store.remove(key)))
    }
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    after = last.position
  }
}

export const evidenceJobs = [
  defineJob({ kind: 'evidence.remove_bytes', payload: removable, run: removeBytes }),
  /** Takes destroyed keys out of the files of the database. */
  defineJob({ kind: 'evidence.scrub', payload: z.strictObject({}), run: ({ db }) => db.scrub(['session_keys']) }),
]
