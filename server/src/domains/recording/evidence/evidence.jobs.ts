import * as z from 'zod'
import { defineJob, type JobCall, type JobRun } from '../../../kernel/jobs/define-job.ts'
import { wholeKey } from '../../../platform/storage/slice-key.ts'
import { makeBeside } from './beside.make.service.ts'
import { listShredded, listShreddedBeside } from './erasure.store.ts'

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
const stretch = z.object({
  sessionId: z.string(),
  source: z.string(),
  /** Epoch milliseconds; what begins from here up to, not including, `untilAt`. */
  fromAt: z.number(),
  untilAt: z.number(),
})

const scrubbed = z.strictObject({
  /** No key was destroyed, only headers of items whose session goes on. */
  partly: z.literal(true).optional(),
})

const pageRows = 500
/** So many are removed side by side. */
const atOnce = 16

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'evidence.remove_bytes': Removable
    'evidence.make_beside': z.output<typeof stretch>
    'evidence.scrub': z.output<typeof scrubbed>
  }
}

type Page = Parameters<typeof listShredded>[3]

/** Removes whole files that pages of positions name. */
const removePages = async (
  { store }: Pick<JobCall, 'store'>,
  { from, until, signal }: { from: number; until: number; signal: AbortSignal },
  read: (page: Page) => Promise<readonly { position: number; key: string }[]>,
): Promise<void> => {
  for (let after = from - 1; ; ) {
    const page = await read({ after, until, limit: pageRows })
    const keys = [...new Set(page.map(({ key }) => key))]
    for (let first = 0; first < keys.length; first += atOnce) {
      signal.throwIfAborted()
      await Promise.all(keys.slice(first, first + atOnce).map((key) => store.remove(key)))
    }
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    after = last.position
  }
}

/** Removes bytes from the store. Removing what is gone is no error, so a job cut off half-way simply runs again. */
const removeBytes = async (call: JobCall, wanted: Removable, { signal }: JobRun): Promise<void> => {
  const { reader, scope, store } = call
  if ('storeKeys' in wanted) {
    for (const key of wanted.storeKeys) await store.remove(key)
    return
  }
  const { sessionId, from = 1, until = Number.MAX_SAFE_INTEGER } = wanted
  const span = { from, until, signal }
  await removePages(call, span, async (page) =>
    (await listShredded(reader, scope, sessionId, page)).map(({ position, storeKey }) => ({
      position,
      key: wholeKey(storeKey),
    })),
  )
  await removePages(call, span, async (page) =>
    (await listShreddedBeside(reader, scope, sessionId, page)).map(({ position, besideId }) => ({
      position,
      key: `${scope.orgId}/${besideId}`,
    })),
  )
}

export const evidenceJobs = [
  defineJob({ kind: 'evidence.remove_bytes', payload: removable, run: removeBytes }),
  /** Small pictures and levels that no sender made. It decodes: one at a time, and the other jobs go on beside it. */
  defineJob({
    kind: 'evidence.make_beside',
    payload: stretch,
    limit: 1,
    heavy: true,
    run: (call, wanted, { signal }) => makeBeside(call, { ...wanted, signal }),
  }),
  /**
   * Takes destroyed keys and headers out of the files of the database; `objects` is too large to be written again for some rows.
   * Tried for eight hours: a backup may read for so long.
   */
  defineJob({
    kind: 'evidence.scrub',
    payload: scrubbed,
    attempts: 20,
    run: ({ db }, { partly }) => db.scrub(partly ? [] : ['session_keys']),
  }),
]
