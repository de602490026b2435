import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { payloadSize } from '../../../platform/crypto/age-stream.ts'
import { expireUploads } from './uploads.discard.service.ts'
import { deleteEndedOfAllOrgs } from './uploads.store.ts'

const discarded = z.object({ storeKey: z.string(), sizeBytes: z.number().int() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'uploads.discard_parts': z.output<typeof discarded>
  }
}

export const uploadsJobs = [
  /**
   * Removes what an upload left in the store, whether its parts were still apart or (a kill before its row) joined.
   * Opening what is gone makes it again, empty, so that running again does no harm.
   */
  defineJob({
    kind: 'uploads.discard_parts',
    payload: discarded,
    run: async ({ store }, { storeKey, sizeBytes }) => {
      const segment = await store.openSegmented(storeKey, { size: payloadSize(sizeBytes) })
      await segment.discard()
      await store.remove(storeKey)
    },
  }),
  /** Discards uploads that nobody completed in time. */
  defineJob({
    kind: 'uploads.expire',
    everyMs: 600_000,
    run: async (call) => {
      await expireUploads(call)
    },
  }),
  /** What came of an upload is its evidence; that it was one is forgotten, with its parts. */
  defineJob({
    kind: 'uploads.forget',
    everyMs: 3_600_000,
    run: async (call) => {
      const before = call.clock.now() - call.config.uploadDays * 86_400_000
      for (const state of ['completed', 'aborted'] as const)
        await deleteInPages(call, (tx, limit) => deleteEndedOfAllOrgs(tx, state, before, limit))
    },
  }),
]
