import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import { pageView, wholeView } from '../../../kernel/paging.ts'
import type { Channel } from '../../../platform/chat/types.ts'
import {
  changeIntegration,
  channelsOf,
  findChannel,
  integrationsOf,
  listAnnouncements,
  removeIntegration,
  replayAnnouncement,
  revokeAccess,
} from './chat.service.ts'
import { announcementView, capabilitiesView, integrationView, removedView } from './chat.view.ts'
import { askForAccess, type Brought, beginInstall, finishInstall } from './installing.service.ts'
import { lackOfPlatform } from './platforms.service.ts'

export const chatRoutes = {
  'portal.chat.capabilities': {
    read: (call) => Promise.resolve(capabilitiesView((provider) => lackOfPlatform(call, provider))),
  },
  'portal.chat.list': {
    read: async (call, { query }) =>
      wholeView(await integrationsOf(call, call.scope.orgId), { name: 'chat', query, view: integrationView }),
  },
  'portal.chat.install': {
    write: async (call, { body }) => {
      const { url, integration } = await beginInstall(call, body)
      return new Reply({ url, integration: integration && integrationView(integration) }, { status: 201 })
    },
  },
  'chat.callback': prepared<EndpointMap['chat.callback'], Brought>({
    prepare: (call, { query }) => askForAccess(call, query),
    write: async (call, _, brought) => {
      const url = await finishInstall(call, brought)
      return new Reply({ url }, { headers: { Location: url, 'Cache-Control': 'no-store' } })
    },
  }),
  'portal.chat.channels': {
    read: async (call, { params }) => ({ items: [...(await channelsOf(call, params.integrationId))] }),
  },
  'portal.chat.update': prepared<EndpointMap['portal.chat.update'], Channel | undefined>({
    prepare: (call, { params, body }) => findChannel(call, { id: params.integrationId, change: body }),
    write: async (call, { params, body }, channel) =>
      integrationView(await changeIntegration(call, { id: params.integrationId, change: body, channel })),
  }),
  'portal.chat.remove': prepared<EndpointMap['portal.chat.remove'], boolean>({
    prepare: (call, { params }) => revokeAccess(call, params.integrationId),
    write: async (call, { params }, revoked) =>
      removedView(await removeIntegration(call, { id: params.integrationId, revoked }), revoked),
  }),
  'portal.chat.deliveries': {
    read: async (call, { params, query }) => {
      const of = { ...query, integrationId: params.integrationId }
      const { page, total } = await listAnnouncements(call, { orgId: call.scope.orgId, query: of })
      return pageView(page, total, announcementView)
    },
  },
  'portal.chat.replay': {
    write: async (call, { params }) => {
      const row = await replayAnnouncement(call, { integrationId: params.integrationId, deliveryId: params.deliveryId })
      return new Reply(announcementView(row), { status: 201 })
    },
  },
} satisfies Partial<HandlerMap>
