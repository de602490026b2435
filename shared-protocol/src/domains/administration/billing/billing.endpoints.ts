import * as z from 'zod'
import { anonymous, anyAccount, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf, pagingQuery } from '../../../core/primitives.ts'
import { paymentMessageBytes } from '../../organisation/plans/plans.data.ts'
import * as s from './billing.schemas.ts'

const read = { method: 'GET', success: [200], effect: 'read' } as const
const change = { auth: [user('billing.manage')], effect: 'write', errors: ['conflict'] } as const

/** Plan, use and payment. */
export const billingEndpoints = [
  defineEndpoint({
    ...read,
    id: 'billing.plans',
    path: '/v1/billing/plans',
    summary: 'The plans with their limits and their prices in a country.',
    auth: [anyAccount],
    query: s.plansQuery,
    response: s.planLadder,
  }),
  defineEndpoint({
    ...read,
    id: 'billing.status',
    path: '/v1/billing/status',
    summary: 'Which payment providers are configured.',
    auth: [anyAccount],
    response: s.billingStatus,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.billing.entitlements',
    path: '/v1/orgs/{orgId}/billing/entitlements',
    summary: 'The limits of the plan, what is used of them, and whether something new is refused.',
    auth: [user()],
    response: s.entitlements,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.billing.subscription',
    path: '/v1/orgs/{orgId}/billing/subscription',
    summary: 'The plan and what is paid for it.',
    auth: [user('billing.manage')],
    response: s.billedSubscription,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.billing.history',
    path: '/v1/orgs/{orgId}/billing/history',
    summary: 'Charges, newest first, as the provider reported them.',
    auth: [user('billing.manage')],
    query: pagingQuery,
    response: listOf(s.billedCharge),
  }),
  defineEndpoint({
    ...change,
    id: 'portal.billing.checkout',
    method: 'POST',
    path: '/v1/orgs/{orgId}/billing/checkout',
    summary: 'Open a hosted page where a plan is paid for.',
    details:
      'Asked again while the page is open, for the same: the same page. The plan changes when the provider says that it was paid, never by coming back from the page.',
    body: s.checkoutBody,
    response: s.openedCheckout,
    success: [201],
  }),
  defineEndpoint({
    ...change,
    id: 'portal.billing.plan',
    method: 'PATCH',
    path: '/v1/orgs/{orgId}/billing/plan',
    summary: 'Change to another plan, or to another interval.',
    details:
      'Of several subscriptions it is the one that counts. Asked again after a lost answer: the same request, done once.',
    body: s.planBody,
    response: s.billedSubscription,
    success: [200],
  }),
  defineEndpoint({
    ...change,
    id: 'portal.billing.cancel',
    method: 'POST',
    path: '/v1/orgs/{orgId}/billing/cancel',
    summary: 'Cancel at the end of the paid period, or now if the request says so.',
    body: s.cancelBody,
    bodyOptional: true,
    response: s.billedSubscription,
    success: [200],
  }),
  defineEndpoint({
    ...change,
    id: 'portal.billing.metering',
    method: 'POST',
    path: '/v1/orgs/{orgId}/billing/metering/run',
    summary:
      'Count a month that is over, and tell the provider what goes beyond the plan: once, however often this is asked.',
    details:
      'Counted is what was made while a metered plan was in force in that month, whichever plan is in force by now, and told is who was paid then.',
    body: s.meteringBody,
    bodyOptional: true,
    response: s.metering,
    success: [200],
  }),
  defineEndpoint({
    id: 'billing.webhooks',
    method: 'POST',
    path: '/v1/billing/webhooks/{provider}',
    additive: true,
    summary: 'What a payment provider tells, signed by it.',
    details:
      'The words are taken for a reason to ask the provider; what it answers then counts. So late, doubled and disordered messages do no harm.',
    auth: [anonymous],
    headers: {
      'stripe-signature': 'of Stripe',
      'x-razorpay-signature': 'of Razorpay',
      'x-razorpay-event-id': 'of Razorpay: which message',
    },
    signed: true,
    ignoresUnknown: true,
    body: z.looseObject({}),
    maxBodyBytes: Math.max(...Object.values(paymentMessageBytes)),
    response: s.webhookTaken,
    success: [200],
    errors: ['not_found', 'unauthorized', 'service_unavailable'],
    effect: 'write',
  }),
] as const
