import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import {
  type Changed,
  cancelSubscription,
  changePlan,
  keepChange,
  keepCheckout,
  type Opened,
  openCheckout,
} from './billing.service.ts'
import { chargeView, checkoutView, ladderView, standingView, statusView } from './billing.view.ts'
import { entitlementsOf } from './entitlements.service.ts'
import { type Metered, meterPeriod } from './metering.service.ts'
import { readNews, takeNews } from './news.service.ts'
import { lackOf } from './payments.service.ts'
import { listCharges, standingOf } from './standing.service.ts'

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
  'portal.billing.checkout': prepared<EndpointMap['portal.billing.checkout'], Opened>({
    prepare: (call, { body }) => openCheckout(call, body),
    write: async (call, _input, opened) => {
      await keepCheckout(call, opened)
      return new Reply(checkoutView(opened.page), { status: 201 })
    },
  }),
  'portal.billing.plan': prepared<EndpointMap['portal.billing.plan'], Changed>({
    prepare: (call, { body }) => changePlan(call, body),
    write: async (call, _input, changed) =>
      standingView(await keepChange(call, { action: 'billing.plan_changed', changed })),
  }),
  'portal.billing.cancel': prepared<EndpointMap['portal.billing.cancel'], Changed>({
    prepare: (call, { body }) => cancelSubscription(call, body.when),
    write: async (call, _input, changed) =>
      standingView(await keepChange(call, { action: 'billing.cancelled', changed })),
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
