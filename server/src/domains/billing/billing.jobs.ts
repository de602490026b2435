import { paymentProviders } from '@integrity/protocol'
import * as z from 'zod'
import { defineJob } from '../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../kernel/jobs/delete-in-pages.ts'
import { deleteProviderEventsOfAllOrgs, listSubscriptionsOfAllOrgs } from './billing.store.ts'
import { lastPeriod, meterPeriod } from './metering.service.ts'
import { refreshSubscription } from './news.service.ts'

const refresh = z.object({ provider: z.enum(paymentProviders), subscriptionId: z.string() })

declare module '../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'billing.refresh': z.output<typeof refresh>
  }
}

const day = 86_400_000
/** Providers try for three days at most; on request they send again what is fifteen days old. */
const keptEvents = 30 * day
const PAGE = 100

export const billingJobs = [
  defineJob({ kind: 'billing.refresh', payload: refresh, run: (call, payload) => refreshSubscription(call, payload) }),
  /** A message that never came is made good, and a month that is over is counted. */
  defineJob({
    kind: 'billing.reconcile',
    everyMs: day,
    run: async (call, _, { signal }) => {
      for (let after = ''; ; ) {
        const page = await listSubscriptionsOfAllOrgs(call.reader, after, PAGE)
        for (const subscription of page) {
          signal.throwIfAborted()
          after = subscription.orgId
          try {
            await refreshSubscription(call, subscription)
            await meterPeriod(call, subscription.orgId, lastPeriod(call.clock.now()))
          } catch (err) {
            call.log.warn({ err, orgId: subscription.orgId }, 'a subscription could not be reconciled')
          }
        }
        if (page.length < PAGE) return
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
