import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { addressesOfHolders } from '../../organisation/people/people.service.ts'
import { askWitness } from './cosigning.service.ts'
import { sendCheckpoint } from './witnesses.service.ts'
import { listWitnessesOfAllOrgs } from './witnesses.store.ts'
import { checkpointLetter } from './witnesses.texts.ts'

const mailed = z.object({ rows: z.number(), checkpoint: z.string(), verifierKey: z.string() })
const asked = z.object({ rows: z.number() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'witnesses.mail': z.output<typeof mailed>
    'witnesses.ask': z.output<typeof asked>
  }
}

const pageRows = 100

export const witnessesJobs = [
  /** Sends new checkpoints out of the house. */
  defineJob({
    kind: 'witnesses.send',
    everyMs: 3_600_000,
    run: async (call, _, { signal }) => {
      for (let after = ''; ; ) {
        const page = await listWitnessesOfAllOrgs(call.reader, after, pageRows)
        for (const row of page) {
          signal.throwIfAborted()
          after = row.orgId
          await sendCheckpoint(call, row)
        }
        if (page.length < pageRows) return
      }
    },
  }),
  defineJob({
    kind: 'witnesses.mail',
    payload: mailed,
    run: async (call, checkpoint, { id }) => {
      const to = await addressesOfHolders(call, { orgId: call.scope.orgId, permission: 'audit.view' })
      if (to.length > 0) await call.mail.send({ id, to, ...checkpointLetter(call.scope.orgId, checkpoint) })
    },
  }),
  defineJob({ kind: 'witnesses.ask', payload: asked, run: (call, { rows }) => askWitness(call, rows) }),
]
