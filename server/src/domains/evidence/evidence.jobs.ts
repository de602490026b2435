import * as z from 'zod'
import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { listShredded } from './erasure.store.ts'
import { removeBytesKind } from './evidence.erase.service.ts'

const payload = z.union([z.object({ sessionId: z.string() }), z.object({ storeKeys: z.array(z.string()).max(100) })])
const PAGE = 500

/** Removes bytes from the store. Removing what is gone is no error, so a job cut off half-way simply runs again. */
const removeBytes =
  (app: () => Parts): JobHandler =>
  async ({ scope, payload: text, signal }) => {
    const { db, store } = app()
    const wanted = payload.parse(text)
    if ('storeKeys' in wanted) {
      for (const key of wanted.storeKeys) await store.remove(key)
      return
    }
    for (let after = 0; ; ) {
      const page = await listShredded(db.reader, scope, wanted.sessionId, after, PAGE)
      for (const { storeKey, position } of page) {
        signal.throwIfAborted()
        await store.remove(storeKey)
        after = position
      }
      if (page.length < PAGE) return
    }
  }

/** Job kinds of this domain. The context is asked for when a job runs: it holds the jobs itself. */
export const evidenceJobs = (app: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [removeBytesKind]: removeBytes(app),
})
