import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import { pageView } from '../../kernel/paging.ts'
import { capabilitiesView, connectionView, syncView } from './ats.view.ts'
import {
  changeConnection,
  connect,
  connectionsOf,
  disconnect,
  inboundUrlOf,
  rotateSecret,
  testConnection,
} from './connecting.service.ts'
import { providersIn } from './connections.store.ts'
import { readInbound, takeInbound } from './inbound.service.ts'
import { listSyncs, replaySync } from './syncing.service.ts'

export const atsRoutes = {
  'portal.ats.capabilities': {
    read: async (call) => capabilitiesView(providersIn(await connectionsOf(call, call.scope.orgId))),
  },
  'portal.ats.list': {
    read: async (call) => ({
      items: (await connectionsOf(call, call.scope.orgId)).map((row) => connectionView(call, call.scope.orgId, row)),
    }),
  },
  'portal.ats.connect': {
    write: async (call, { body }) => {
      const { row, inboundSecret } = await connect(call, body)
      return new Reply({ ...connectionView(call, call.scope.orgId, row), inboundSecret }, { status: 201 })
    },
  },
  'portal.ats.update': {
    write: async (call, { params, body }) =>
      connectionView(call, call.scope.orgId, await changeConnection(call, { id: params.configId, change: body })),
  },
  'portal.ats.remove': {
    write: async (call, { params }) => {
      await disconnect(call, params.configId)
      return { id: params.configId, deleted: true as const }
    },
  },
  'portal.ats.rotateSecret': {
    write: async (call, { params }) => {
      const inboundSecret = await rotateSecret(call, params.configId)
      const inboundUrl = inboundUrlOf(call, { orgId: call.scope.orgId, id: params.configId })
      return new Reply({ id: params.configId, inboundUrl, inboundSecret }, { status: 201 })
    },
  },
  'portal.ats.test': {
    read: (call, { params }) => testConnection(call, params.configId),
  },
  'portal.ats.sync': {
    read: async (call, { params, query }) => {
      const { page, total } = await listSyncs(call, {
        orgId: call.scope.orgId,
        query: { ...query, connectionId: params.configId },
      })
      return pageView(page, total, syncView)
    },
  },
  'portal.ats.replay': {
    write: async (call, { params }) =>
      new Reply(syncView(await replaySync(call, { connectionId: params.configId, syncId: params.syncId })), {
        status: 201,
      }),
  },
  'ats.inbound': prepared<EndpointMap['ats.inbound'], Awaited<ReturnType<typeof readInbound>>>({
    prepare: (call, { params, bytes }) =>
      readInbound(call, { ...params, message: { bytes, headers: call.signedHeaders } }),
    write: async (call, { params }, read) => {
      await takeInbound(call, { orgId: params.orgId, read })
      return { received: true as const }
    },
  }),
} satisfies Partial<HandlerMap>
