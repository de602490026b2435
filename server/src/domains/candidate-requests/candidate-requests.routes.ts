import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import type { Scope } from '../../kernel/scope.ts'
import { serveAccessCopy } from './access-copy.service.ts'
import { acknowledge, decide, getRequest, readRequests, readStatements, respond } from './candidate-requests.service.ts'
import { candidateRequestView, ownRequestView, statementView } from './candidate-requests.view.ts'
import { admitAsk, askForLink, exchange } from './request-links.service.ts'
import { readPage, submitRequest } from './submitting.service.ts'

/** A person manages both environments: each call finds out where its request is. */
export const candidateRequestsRoutes = {
  'candidateRequests.links.mail': prepared<EndpointMap['candidateRequests.links.mail'], Scope | undefined>({
    prepare: ({ app, input }) => admitAsk(app, input.body.sessionId),
    write: async ({ app, tx, input }, scope) => {
      if (scope) await askForLink(app, tx, scope, input.body)
      return { accepted: true as const }
    },
  }),
  'candidateRequests.links.invitation': {
    write: ({ app, tx, scope, actor }) => exchange(app, tx, scope, actor, 'invitation'),
  },
  'candidateRequests.links.agent': {
    write: ({ app, tx, scope, actor }) => exchange(app, tx, scope, actor, 'desktop_agent'),
  },
  'candidateRequests.view': {
    read: ({ app, scope, actor }) => readPage(app, scope, actor),
  },
  'candidateRequests.submit': {
    write: async ({ app, tx, scope, actor, input: { body } }) => {
      const { isNew, ...sent } = await submitRequest(app, tx, scope, actor, body)
      return new Reply({ ...ownRequestView(sent), isNew }, { status: isNew ? 201 : 200 })
    },
  },
  'candidateRequests.export': { serve: serveAccessCopy },
  'portal.candidateRequests.list': {
    read: async ({ app, scope: { orgId }, input: { query } }) => {
      const page = await readRequests(app.db.reader, orgId, query)
      return { ...page, items: page.items.map(candidateRequestView) }
    },
  },
  'portal.candidateRequests.get': {
    read: async ({ app, scope: { orgId }, input: { params } }) =>
      candidateRequestView(await getRequest(app.db.reader, orgId, params.requestId)),
  },
  'portal.candidateRequests.acknowledge': {
    write: async ({ app, tx, actor, input: { params } }) =>
      candidateRequestView(await acknowledge(app, tx, actor, params)),
  },
  'portal.candidateRequests.respond': {
    write: async ({ app, tx, actor, input: { params, body } }) =>
      candidateRequestView(await respond(app, tx, actor, { ...params, ...body })),
  },
  'portal.candidateRequests.approve': {
    write: async ({ app, tx, actor, input: { params, body } }) =>
      candidateRequestView(await decide(app, tx, actor, { ...params, ...body, end: 'approved' })),
  },
  'portal.candidateRequests.decline': {
    write: async ({ app, tx, actor, input: { params, body } }) =>
      candidateRequestView(await decide(app, tx, actor, { ...params, ...body, end: 'declined' })),
  },
  'portal.candidateRequests.complete': {
    write: async ({ app, tx, actor, input: { params, body } }) =>
      candidateRequestView(await decide(app, tx, actor, { ...params, ...body, end: 'completed' })),
  },
  'portal.candidateContext.get': {
    read: async ({ app, scope: { orgId }, input: { params } }) => ({
      sessionId: params.sessionId,
      statements: (await readStatements(app.db.reader, orgId, params.sessionId)).map(statementView),
    }),
  },
} satisfies Partial<HandlerMap>
