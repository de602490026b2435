import * as z from 'zod'
import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { payloadSize } from '../../platform/crypto/age-stream.ts'
import { discardPartsKind, expireUploads, expireUploadsKind } from './uploads.discard.service.ts'

const payload = z.object({ storeKey: z.string(), sizeBytes: z.number().int() })

/**
 * Removes what an upload left in the store, whether its parts were still apart or (a kill before its row) joined.
 * Opening what is gone makes it anew, empty, so that running again does no harm.
 */
const discardParts =
  (app: () => Parts): JobHandler =>
  async (job) => {
    const { store } = app()
    const { storeKey, sizeBytes } = payload.parse(job.payload)
    const segment = await store.openSegmented(storeKey, { size: payloadSize(sizeBytes) })
    await segment.discard()
    await store.remove(storeKey)
  }

/** Job kinds of this domain. The context is asked for when a job runs: it holds the jobs itself. */
export const uploadsJobs = (app: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [discardPartsKind]: discardParts(app),
  [expireUploadsKind]: async () => {
    await expireUploads(app())
  },
})
