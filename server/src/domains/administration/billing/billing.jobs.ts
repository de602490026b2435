import { paymentProviders } from '@integrity/protocol'
import * as z from 'zod'
import { system } from '../../../kernel/identity/actor.ts'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { deleteInPages } from '../../../kernel/jobs/delete-in-pages.ts'
import { planPage } from '../../../kernel/page-links.ts'
import { iso } from '../../../kernel/time.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { tellHolders } from '../../organisation/people/telling.service.ts'
import { noteLapsedOfAllOrgs } from '../../organisation/plans/plans.service.ts'
import { severalLetter } from './billing.messages.ts'
import { deleteProviderEventsOfAllOrgs } from './billing.store.ts'
import { lastPeriod, meterPeriod } from './metering.service.ts'
import { listUnpushedOfAllOrgs } from './metering.store.ts'
import { afterExpiryMs, lookAtPage, refreshSubscription } from './pages.service.ts'
import { deletePagesOfAllOrgs, listPagesOfAllOrgs } from './pages.store.ts'
import { takeWithCharges } from './refreshing.service.ts'
import { listSubscriptionsOfAllOrgs } from './subscriptions.store.ts'
import { wishesEndMs } from './wishes.service.ts'
import { deleteWishesOfAllOrgs } from './wishes.store.ts'

const refresh = z.object({
  provider: z.enum(paymentProviders),
  subscriptionId: z.string(),
  /** The provider was told to end it at the end of the period, and could not be asked behind that. */
  willEnd: z.boolean().optional(),
})
const several = z.object({ orgId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'billing.refresh': z.output<typeof refresh>
    'billing.tell_several': z.output<typeof several>
  }
}

const day = 86_400_000
/** Providers try for three days at most; on request they send again what is fifteen days old. */
const keptEvents = 30 * day
/** Invoices of a subscription that has ended are made good until then. */
const afterEnd = 60 * day
const pageRows = 100

export const billingJobs = [
  defineJob({
    kind: 'billing.refresh',
    payload: refresh,
    run: async (call, { willEnd, ...theirs }) => {
      if (willEnd) await takeWithCharges(call, { ...theirs, known: { willEnd } })
      else await refreshSubscription(call, theirs)
    },
  }),
  defineJob({
    kind: 'billing.tell_several',
    payload: several,
    attempts: mailAttempts,
    run: async (call, { orgId }, { id }) => {
      const page = planPage(call, (await getOrg(call, orgId)).slug)
      await tellHolders(call, {
        id,
        orgId,
        permission: 'billing.manage',
        letterIn: (locale) => severalLetter(locale, page),
      })
    },
  }),
  /**
   * Who has paid on a hosted page gets what they paid for, though no message of it came; and a plan whose time is over leaves a
   * row that says so.
   */
  defineJob({
    kind: 'billing.look',
    everyMs: 2 * 60_000,
    run: async (call, _, { signal }) => {
      await noteLapsedOfAllOrgs(call, async ({ tx }, { orgId, provider, subscriptionId, plan, untilAt }) => {
        const payload = { provider, subscriptionId, plan, endedAt: untilAt === null ? null : iso(untilAt) }
        const by = { tx, scope: { orgId }, actor: system }
        await call.audit.append(by, { action: 'billing.subscription_lapsed', target: orgId, payload })
      })
      const openAfter = call.clock.now() - afterExpiryMs
      for (let after = { orgId: '', provider: '', id: '' }; ; ) {
        const page = await listPagesOfAllOrgs(call.reader, { after, openAfter, limit: pageRows })
        for (const checkout of page) {
          signal.throwIfAborted()
          after = checkout
          try {
            await lookAtPage(call, checkout)
          } catch (err) {
            call.log.warn({ err, orgId: checkout.orgId }, 'a hosted page could not be asked about')
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
      for (let after = { orgId: '', provider: '', subscriptionId: '' }; ; ) {
        const page = await listSubscriptionsOfAllOrgs(call.reader, { after, endedAfter, limit: pageRows })
        for (const subscription of page) {
          signal.throwIfAborted()
          after = subscription
          const { orgId } = subscription
          try {
            await takeWithCharges(call, subscription)
          } catch (err) {
            call.log.warn({ err, orgId }, 'a subscription could not be reconciled')
          }
          // What was used is known without the provider's word of today.
          try {
            await meterPeriod(call, { orgId, period: lastPeriod(call.clock.now()) })
          } catch (err) {
            call.log.warn({ err, orgId }, 'a month could not be metered')
          }
        }
        if (page.length < pageRows) break
      }
      for (let after = { orgId: '', period: '' }; ; ) {
        const page = await listUnpushedOfAllOrgs(call.reader, { after, limit: pageRows })
        for (const month of page) {
          signal.throwIfAborted()
          after = month
          try {
            await meterPeriod(call, month)
          } catch (err) {
            call.log.warn({ err, ...month }, 'a month could not be told to the payment provider')
          }
        }
        if (page.length < pageRows) return
      }
    },
  }),
  defineJob({
    kind: 'billing.forget_wishes',
    everyMs: day,
    run: async (call) => {
      const now = call.clock.now()
      await deleteInPages(call, (tx, limit) => deleteWishesOfAllOrgs(tx, now - wishesEndMs, limit))
      await deleteInPages(call, (tx, limit) => deletePagesOfAllOrgs(tx, now - 2 * afterExpiryMs, limit))
    },
  }),
  defineJob({
    kind: 'billing.forget_events',
    everyMs: day,
    run: (call) =>
      deleteInPages(call, (tx, limit) => deleteProviderEventsOfAllOrgs(tx, call.clock.now() - keptEvents, limit)),
  }),
]
