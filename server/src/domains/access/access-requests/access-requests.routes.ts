import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import type { Proof } from '../auth/second-factor/proving.service.ts'
import { identityOf } from '../auth/sign-ins/sign-ins.service.ts'
import { acceptInvite, proveAcceptance } from './accepting.service.ts'
import { readFunnel } from './access-insights.service.ts'
import { acceptedView, deskRequestView, insightsView, ownerInviteView } from './access-requests.view.ts'
import { approve, decline, listRequests, resend } from './desk.service.ts'
import { inspectInvite, renewInvite } from './owner-invites.service.ts'
import { admitRequest, requestAccess } from './requesting.service.ts'

export const accessRequestsRoutes = {
  'accessRequests.availability': {
    read: (call) => Promise.resolve({ open: call.config.accessRequestsOpen }),
  },
  'accessRequests.create': prepared<EndpointMap['accessRequests.create'], void>({
    prepare: (call) => admitRequest(call),
    write: async (call, { body }) => {
      await requestAccess(call, body)
      return { accepted: true as const }
    },
  }),
  'accessRequests.list': {
    read: async (call, { query }) => {
      const { rows, nextCursor } = await listRequests(call, query)
      return { items: rows.map((row) => deskRequestView(row, call.clock.now())), nextCursor }
    },
  },
  'accessRequests.insights': {
    read: async (call, { query }) => insightsView(await readFunnel(call, query)),
  },
  'accessRequests.approve': {
    write: async (call, { params }) => deskRequestView(await approve(call, params.id), call.clock.now()),
  },
  'accessRequests.decline': {
    write: async (call, { params, body }) =>
      deskRequestView(await decline(call, { id: params.id, message: body.message }), call.clock.now()),
  },
  'accessRequests.resendInvite': {
    write: async (call, { params }) => deskRequestView(await resend(call, params.id), call.clock.now()),
  },
  'ownerInvites.inspect': {
    write: async (call, { body }) => ownerInviteView(await inspectInvite(call, body.token)),
  },
  'ownerInvites.accept': prepared<EndpointMap['ownerInvites.accept'], Proof>({
    prepare: (call, { body }) => proveAcceptance(call, body),
    write: async (call, { body }, proof) => {
      const { org, userId, tokens } = await acceptInvite(call, { body, proof })
      return new Reply(acceptedView(org, await identityOf(call, { userId, onlyIn: null }), tokens), {
        status: 201,
        cookies: tokens,
      })
    },
  }),
  'ownerInvites.renew': {
    write: async (call, { body }) => {
      await renewInvite(call, body.token)
      return { accepted: true as const }
    },
  },
} satisfies Partial<HandlerMap>
