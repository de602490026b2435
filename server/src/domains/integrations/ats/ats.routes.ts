import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import { pageView, wholeView } from '../../../kernel/paging.ts'
import type { ConnectionRow } from './ats.types.ts'
import { capabilitiesView, connectionView, syncView } from './ats.view.ts'
import {
  changeConnection,
  connect,
  connectionsOf,
  disconnect,
  inboundUrlOf,
  keepTried,
  rotateSecret,
  type Tried,
  tryConnection,
  tryCredentials,
  tryNewCredentials,
} from './connecting.service.ts'
import { providersIn } from './connections.store.ts'
import { readInbound, takeInbound } from './inbound.service.ts'
import { listSyncs, replaySync } from './syncing.service.ts'

export const atsRoutes = {
  'portal.ats.capabilities': {
    read: async (call) => capabilitiesView(providersIn(await connectionsOf(call, call.scope.orgId))),
  },
  'portal.ats.list': {
    read: async (call, { query }) => {
      const view = (row: ConnectionRow) => connectionView(call, call.scope.orgId, row)
      return wholeView(await connectionsOf(call, call.scope.orgId), { name: 'ats', query, view })
    },
  },
  'portal.ats.connect': prepared<EndpointMap['portal.ats.connect'], Tried>({
    prepare: (call, { body: { provider, credentials } }) =>
      tryCredentials(call, { id: call.newId('ats'), provider, credentials }),
    write: async (call, { body }, tried) => {
      const { row, inboundSecret } = await connect(call, { body, ...tried })
      return new Reply({ ...connectionView(call, call.scope.orgId, row), inboundSecret }, { status: 201 })
    },
  }),
  'portal.ats.update': prepared<EndpointMap['portal.ats.update'], Tried | undefined>({
    prepare: (call, { params, body }) => tryNewCredentials(call, { id: params.configId, given: body.credentials }),
    write: async (call, { params, body }, tried) => {
      const row = await changeConnection(call, { id: params.configId, change: body, tried })
      return connectionView(call, call.scope.orgId, row)
    },
  }),
  'portal.ats.remove': {
    write: async (call, { params }) => {
      await disconnect(call, params.configId)
      return { id: params.configId, deleted: true as const }
    },
  },
  'portal.ats.rotateSecret': {
    write: async (call, { params }) => {
      const { row, secret: inboundSecret } = await rotateSecret(call, params.configId)
      const inboundUrl = inboundUrlOf(call, { orgId: call.scope.orgId, row })
      return new Reply({ id: params.configId, inboundUrl, inboundSecret }, { status: 201 })
    },
  },
  'portal.ats.test': prepared<EndpointMap['portal.ats.test'], Awaited<ReturnType<typeof tryConnection>>>({
    prepare: (call, { params }) => tryConnection(call, params.configId),
    write: (call, _, found) => keepTried(call, found),
  }),
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
