import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { lookAtBacklog, sendAnnouncement } from './announcing.service.ts'
import { deleteOldStatesOfAllOrgs, listWithThresholdOfAllOrgs } from './integrations.store.ts'

const announcement = z.object({ deliveryId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'chat.announce': z.output<typeof announcement>
  }
}

const minute = 60_000
/** The last about four minutes after the first: news that is older helps nobody. */
const attempts = 9
const pageRows = 100

export const chatJobs = [
  defineJob({
    kind: 'chat.announce',
    payload: announcement,
    attempts,
    run: (call, { deliveryId }, { attempt }) => sendAnnouncement(call, { deliveryId, isLast: attempt >= attempts }),
  }),
  defineJob({
    kind: 'chat.backlog',
    everyMs: minute,
    run: async (call, _, { signal }) => {
      for (let after: readonly [string, string] = ['', '']; ; ) {
        const page = await listWithThresholdOfAllOrgs(call.reader, after, pageRows)
        for (const row of page) {
          signal.throwIfAborted()
          after = [row.orgId, row.id]
          await lookAtBacklog(call, row)
        }
        if (page.length < pageRows) return
      }
    },
  }),
  defineJob({
    kind: 'chat.forget_states',
    everyMs: 60 * minute,
    run: (call) => deleteInPages(call, (tx, limit) => deleteOldStatesOfAllOrgs(tx, call.clock.now(), limit)),
  }),
]
