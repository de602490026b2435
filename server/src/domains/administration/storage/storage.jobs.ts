import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { deleteRemovalsOfAllOrgs } from './migrations.store.ts'
import { lateWritesMs } from './places.parts.ts'
import { listRemoteOfAllOrgs } from './places.store.ts'
import { sweepUnreferenced } from './unreferenced.service.ts'

const hour = 3_600_000
const pageRows = 100

export const storageJobs = [
  /** Nothing that was on its way that long ago can still be. */
  defineJob({
    kind: 'storage.forget_removals',
    everyMs: hour,
    run: (call) =>
      deleteInPages(call, (tx, limit) => deleteRemovalsOfAllOrgs(tx, call.clock.now() - lateWritesMs, limit)),
  }),
  /** Unfinished objects at providers cost money; a process that was killed over one leaves it. */
  defineJob({
    kind: 'storage.tidy_places',
    everyMs: 24 * hour,
    run: async ({ reader, clock, log, storagePlaces }, _, { signal }) => {
      for (let after = ''; ; ) {
        const page = await listRemoteOfAllOrgs(reader, after, pageRows)
        for (const { orgId, place } of page) {
          signal.throwIfAborted()
          after = orgId
          await storagePlaces
            .openRow(orgId, place)
            .removeStaleTemporaries(clock.now() - lateWritesMs)
            .catch((error: unknown) => log.warn({ err: error, orgId }, 'unfinished objects could not be swept'))
        }
        if (page.length < pageRows) return
      }
    },
  }),
  /** What a process left that was killed between an object and its row. */
  defineJob({
    kind: 'store.sweep_unreferenced',
    everyMs: 24 * hour,
    run: (call, _, { signal }) => sweepUnreferenced(call, signal),
  }),
]
