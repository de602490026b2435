import { consentLocales } from '@integrity/protocol'
import * as z from 'zod'
import { inTx } from '../../../kernel/call.ts'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { pageFor } from '../../../kernel/page-links.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { tellHolders } from '../../organisation/people/telling.service.ts'
import { changedLetter } from './statement.messages.ts'
import { settleStatement } from './statement.service.ts'
import {
  compareAt,
  forgetComparing,
  nextToCompareAcrossOrgs,
  nextWithoutStatementAcrossOrgs,
} from './statements.store.ts'

/** After a comparison that failed. */
const againMs = 3_600_000

const text = z.record(z.enum(consentLocales), z.string()).nullable()
const changed = z.object({ changes: z.array(z.object({ before: text, after: text })) })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'compliance.tell': z.output<typeof changed>
  }
}

export const complianceJobs = [
  defineJob({
    kind: 'compliance.compare',
    everyMs: 60_000,
    run: async (call, _, { signal }) => {
      const now = call.clock.now()
      const next = () => nextToCompareAcrossOrgs(call.reader, now)
      for (let due = await next(); due !== undefined; due = await next()) {
        signal.throwIfAborted()
        const { orgId, at } = due
        try {
          await call.db.transact(async (tx) => {
            if (await forgetComparing(tx, orgId, at)) await settleStatement(inTx(call, tx), orgId)
          })
        } catch (err) {
          // One that cannot be compared holds up no other.
          call.log.warn({ err, orgId }, 'a statement could not be compared; it is tried again in an hour')
          await call.db.transact((tx) => compareAt(tx, orgId, now + againMs))
        }
      }
    },
  }),
  defineJob({
    kind: 'compliance.tell',
    payload: changed,
    attempts: mailAttempts,
    run: (call, { changes }, { id }) =>
      tellHolders(call, {
        id,
        orgId: call.scope.orgId,
        permission: 'audit.view',
        letterIn: (locale) => changedLetter(locale, { changes, link: pageFor(call, { kind: 'statement' }) }),
      }),
  }),
  defineJob({
    kind: 'compliance.begin',
    everyMs: 3_600_000,
    run: async (call, _, { signal }) => {
      const next = (after: string) => nextWithoutStatementAcrossOrgs(call.reader, after)
      for (let orgId = await next(''); orgId !== undefined; orgId = await next(orgId)) {
        signal.throwIfAborted()
        const of = orgId
        await call.db
          .transact((tx) => settleStatement(inTx(call, tx), of))
          .catch((err: unknown) => call.log.warn({ err, orgId: of }, 'a first statement could not be made'))
      }
    },
  }),
]
