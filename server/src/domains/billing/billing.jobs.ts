import { paymentProviders } from '@integrity/protocol'
import * as z from 'zod'
import { defineJob } from '../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../kernel/jobs/delete-in-pages.ts'
import { deleteProviderEventsOfAllOrgs, listCheckoutsOfAllOrgs, listSubscriptionsOfAllOrgs } from './billing.store.ts'
import { lastPeriod, meterPeriod } from './metering.service.ts'
import { lookForCharge, refreshSubscription } from './news.service.ts'

const refresh = z.object({ provider: z.enum(paymentProviders), subscriptionId: z.string() })

declare module '../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'billing.refresh': z.output<typeof refresh>
  }
}

const day = 86_400_000
/** Providers try for three days at most; on request they send again what is fifteen days old. */
const keptEvents = 30 * day
/** Invoices of a subscription that has ended are made good until then. */
const afterEnd = 60 * day
/** A hosted page may be paid in its last minute, and its payment be judged later. */
const afterExpiry = 3_600_000
const pageRows = 100

export const billingJobs = [
  defineJob({ kind: 'billing.refresh', payload: refresh, run: (call, payload) => refreshSubscription(call, payload) }),
  /** Who has paid on a hosted page gets what they paid for, though no message of it came. */
  defineJob({
    kind: 'billing.look',
    everyMs: 2 * 60_000,
    run: async (call, _, { signal }) => {
      const openAfter = call.clock.now() - afterExpiry
      for (let after = ''; ; ) {
        const page = await listCheckoutsOfAllOrgs(call.reader, { after, openAfter, limit: pageRows })
        for (const { orgId, ...checkout } of page) {
          signal.throwIfAborted()
          after = orgId
          try {
            await lookForCharge(call, checkout)
          } catch (err) {
            call.log.warn({ err, orgId }, 'a hosted page could not be asked about')
          }
        }
        if (page.length < pageRows) return
      }
    },
  }),
  /** A message that never came is made good, and a month that is over is counted. */
  defineJob({
    kind: 'billing.reconcile',
    everyMs: day,
    run: async (call, _, { signal }) => {
      const endedAfter = call.clock.now() - afterEnd
      for (let after = ''; ; ) {
        const page = await listSubscriptionsOfAllOrgs(call.reader, { after, endedAfter, limit: pageRows })
        for (const subscription of page) {
          signal.throwIfAborted()
          after = subscription.orgId
          try {
            await refreshSubscription(call, subscription)
            await meterPeriod(call, { orgId: subscription.orgId, period: lastPeriod(call.clock.now()) })
          } catch (err) {
            call.log.warn({ err, orgId: subscription.orgId }, 'a subscription could not be reconciled')
          }
        }
        if (page.length < pageRows) return
      }
    },
  }),
  defineJob({
    kind: 'billing.forget_events',
    everyMs: day,
    run: (call) =>
      deleteInPages(call, (tx, limit) => deleteProviderEventsOfAllOrgs(tx, call.clock.now() - keptEvents, limit)),
  }),
]
