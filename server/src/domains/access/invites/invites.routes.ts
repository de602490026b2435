import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { iso } from '../../../kernel/time.ts'
import type { Proof } from '../auth/second-factor/proving.service.ts'
import { identityOf } from '../auth/sign-ins/sign-ins.service.ts'
import { acceptInvite, inspectInvite, proveInvited } from './invited.service.ts'
import { createInvite, listInvites, resendInvite, revokeInvite } from './invites.service.ts'
import { acceptedView, factsView, inviteView } from './invites.view.ts'

export const invitesRoutes = {
  'portal.invites.list': {
    read: async (call, { query }) => {
      const { page, total } = await listInvites(call, { orgId: call.scope.orgId, query })
      return pageView(page, total, (invite) => inviteView(invite, call.clock.now()))
    },
  },
  'portal.invites.create': {
    write: async (call, { body }) => inviteView(await createInvite(call, body), call.clock.now()),
  },
  'portal.invites.resend': {
    write: async (call, { params }) => inviteView(await resendInvite(call, params.inviteId), call.clock.now()),
  },
  'portal.invites.revoke': {
    write: async (call, { params }) => {
      const { id, revokedAt } = await revokeInvite(call, params.inviteId)
      return { id, deleted: true as const, revokedAt: iso(revokedAt) }
    },
  },
  'invites.inspect': {
    read: async (call, { body }) => factsView(await inspectInvite(call, body.token), call.clock.now()),
  },
  'invites.accept': prepared<EndpointMap['invites.accept'], Proof>({
    prepare: (call, { body }) => proveInvited(call, body),
    write: async (call, { body }, proof) => {
      const accepted = await acceptInvite(call, { body, proof })
      return new Reply(acceptedView(accepted, await identityOf(call, { userId: accepted.userId, onlyIn: null })), {
        cookies: accepted.tokens,
      })
    },
  }),
} satisfies Partial<HandlerMap>
