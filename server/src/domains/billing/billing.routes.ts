import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import { pageView } from '../../kernel/paging.ts'
import type { CheckoutRow, SubscriptionRow } from '../../platform/payments/types.ts'
import {
  cancelSubscription,
  changePlan,
  keepCheckout,
  keepSubscription,
  listCharges,
  openCheckout,
  standingOf,
} from './billing.service.ts'
import { chargeView, checkoutView, ladderView, standingView, statusView } from './billing.view.ts'
import { entitlementsOf } from './entitlements.service.ts'
import { type Metered, meterPeriod } from './metering.service.ts'
import { readNews, takeNews } from './news.service.ts'
import { lackOf } from './payments.service.ts'

export const billingRoutes = {
  'billing.plans': { read: (_call, { query }) => Promise.resolve(ladderView(query.country)) },
  'billing.status': { read: (call) => Promise.resolve(statusView((provider) => lackOf(call, provider))) },
  'portal.billing.entitlements': { read: (call) => entitlementsOf(call, call.scope.orgId) },
  'portal.billing.subscription': { read: async (call) => standingView(await standingOf(call, call.scope.orgId)) },
  'portal.billing.history': {
    read: async (call, { query }) => {
      const { page, total } = await listCharges(call, { orgId: call.scope.orgId, query })
      return pageView(page, total, chargeView)
    },
  },
  'portal.billing.checkout': prepared<EndpointMap['portal.billing.checkout'], CheckoutRow>({
    prepare: (call, { body }) => openCheckout(call, body),
    write: async (call, _input, checkout) => {
      await keepCheckout(call, checkout)
      return new Reply(checkoutView(checkout), { status: 201 })
    },
  }),
  'portal.billing.plan': prepared<EndpointMap['portal.billing.plan'], SubscriptionRow>({
    prepare: (call, { body }) => changePlan(call, body),
    write: async (call, _input, after) =>
      standingView(await keepSubscription(call, { action: 'billing.plan_changed', subscription: after })),
  }),
  'portal.billing.cancel': prepared<EndpointMap['portal.billing.cancel'], SubscriptionRow>({
    prepare: (call, { body }) => cancelSubscription(call, body.when),
    write: async (call, _input, after) =>
      standingView(await keepSubscription(call, { action: 'billing.cancelled', subscription: after })),
  }),
  'portal.billing.metering': prepared<EndpointMap['portal.billing.metering'], Metered>({
    prepare: (call, { body }) => meterPeriod(call, { orgId: call.scope.orgId, period: body.period }),
    write: async (call, _input, metered) => {
      const { orgId } = call.scope
      await call.audit.append(call, { action: 'billing.metered', target: orgId, payload: { ...metered } })
      return metered
    },
  }),
  'billing.webhooks': prepared<EndpointMap['billing.webhooks'], ReturnType<typeof readNews>>({
    prepare: async (call, { params, bytes }) =>
      readNews(call, { provider: params.provider, message: { bytes, headers: call.signedHeaders } }),
    write: async (call, _input, news) => {
      await takeNews(call, news)
      return { received: true as const }
    },
  }),
} satisfies Partial<HandlerMap>
