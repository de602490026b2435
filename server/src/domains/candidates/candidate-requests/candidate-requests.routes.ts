import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { reviewView } from '../../interviews/reviews/reviews.view.ts'
import { contextStatementView } from '../../interviews/statements/statements.view.ts'
import { findStated, readOwnMoments, type StatedMoment } from '../../review/reports/own-moments.service.ts'
import { ownMomentsView } from '../../review/reports/own-moments.view.ts'
import { recordContact, sendContact } from '../invitations/answers.service.ts'
import { downloadAccessCopy, downloadArchive, downloadOwnBundle } from './access-copy.service.ts'
import { checkMayHandle, listableKind, shownTo } from './candidate-requests.policy.ts'
import {
  acknowledge,
  decide,
  getRequest,
  previewRequest,
  readRequests,
  readStatements,
  reopenReview,
  respond,
} from './candidate-requests.service.ts'
import { candidateRequestView, ownRequestView } from './candidate-requests.view.ts'
import { readContents } from './contents.service.ts'
import { keepAccommodation, submitAids } from './declaring.service.ts'
import { readOwnIndex, readOwnReel, readOwnSignatures } from './playing.service.ts'
import { admitAsk, askForLink, exchange } from './request-links.service.ts'
import { readDeclaring, readPage, submitRequest } from './submitting.service.ts'

/** A person manages both environments: each call finds out where its request is. */
export const candidateRequestsRoutes = {
  'candidateRequests.links.mail': prepared<EndpointMap['candidateRequests.links.mail'], Scope | undefined>({
    prepare: (call, input) => admitAsk(call, input.body.sessionId),
    write: async (call, input, scope) => {
      if (scope) await askForLink({ ...call, scope }, input.body)
      return { accepted: true as const }
    },
  }),
  'candidateRequests.links.invitation': {
    write: (call) => exchange(call, 'invitation'),
  },
  'candidateRequests.links.agent': {
    write: (call) => exchange(call, 'desktop_agent'),
  },
  'candidateRequests.view': {
    read: (call) => readPage(call, call.actor),
  },
  'candidateRequests.submit': prepared<EndpointMap['candidateRequests.submit'], StatedMoment | undefined>({
    prepare: async (call, { body: { moment: momentId } }) =>
      momentId === undefined ? undefined : findStated(call, { sessionId: call.actor.sessionId, momentId }),
    write: async (call, { body }, moment) => {
      const { isNew, ...sent } = await submitRequest(call, { candidate: call.actor, body, moment })
      return new Reply({ ...ownRequestView(sent), isNew }, { status: isNew ? 201 : 200 })
    },
  }),
  'candidateRequests.moments': {
    read: async (call, { body }) =>
      ownMomentsView(await readOwnMoments(call, { sessionId: call.actor.sessionId, after: body?.after ?? 0 })),
  },
  'candidateRequests.aids': {
    write: async (call, { body }) => {
      const { isNew, ...sent } = await submitAids(call, { candidate: call.actor, aids: body.aids })
      return new Reply(ownRequestView(sent), { status: isNew ? 201 : 200 })
    },
  },
  'candidateRequests.declared': {
    read: (call, { body }) => readDeclaring(call, { sessionId: call.actor.sessionId, locale: body?.locale }),
  },
  /** Here, as what it asks for becomes a request. */
  'invitations.contact': prepared<EndpointMap['invitations.contact'], void>({
    prepare: (call, { body }) => sendContact(call, body),
    write: async (call, { body }) => {
      const { sentAt } = await recordContact(call, body.topic)
      return { sentAt, requestId: body.topic === 'accommodation' ? await keepAccommodation(call, body) : null }
    },
  }),
  'candidateRequests.export': {
    content: (call, input) => downloadAccessCopy(call, input.body.requestId),
  },
  'candidateRequests.archive': {
    content: (call, { body }) => downloadArchive({ ...call, reader: call.db.reader }, body),
  },
  'candidateRequests.contents': {
    read: (call, { body }) => readContents(call, body),
  },
  'candidateRequests.reelIndex': {
    long: true,
    read: (call, { body }) => readOwnIndex(call, body),
  },
  'candidateRequests.reels': {
    content: (call, { body }) => readOwnReel(call, body),
  },
  'candidateRequests.signatures': {
    read: (call, { body }) => readOwnSignatures(call, body),
  },
  'candidateRequests.bundle': {
    content: (call, input) => downloadOwnBundle(call, input.body.requestId),
  },
  'portal.candidateRequests.list': {
    read: async (call, { query }) => {
      const kind = listableKind(call.actor, query.kind)
      const page = await readRequests(call, { orgId: call.scope.orgId, query: { ...query, kind } })
      return { ...page, items: page.items.map((one) => candidateRequestView(shownTo(call.actor, one))) }
    },
  },
  'portal.candidateRequests.get': {
    read: async (call, { params }) => {
      const found = await getRequest(call, { orgId: call.scope.orgId, id: params.requestId })
      checkMayHandle(call.actor, found.request.kind)
      return candidateRequestView(shownTo(call.actor, found))
    },
  },
  'portal.candidateRequests.preview': {
    read: (call, { params }) => previewRequest(call, { orgId: call.scope.orgId, requestId: params.requestId }),
  },
  'portal.candidateRequests.acknowledge': {
    write: async (call, { params }) => candidateRequestView(await acknowledge(call, params)),
  },
  'portal.candidateRequests.respond': {
    write: async (call, { params, body }) => candidateRequestView(await respond(call, { ...params, ...body })),
  },
  'portal.candidateRequests.approve': {
    write: async (call, { params, body }) =>
      candidateRequestView(await decide(call, { ...params, ...body, end: 'approved' })),
  },
  'portal.candidateRequests.decline': {
    write: async (call, { params, body }) =>
      candidateRequestView(await decide(call, { ...params, ...body, end: 'declined' })),
  },
  'portal.candidateRequests.complete': {
    write: async (call, { params, body }) =>
      candidateRequestView(shownTo(call.actor, await decide(call, { ...params, ...body, end: 'completed' }))),
  },
  'portal.candidateRequests.reopenReview': {
    write: async (call, { params, body }) =>
      reviewView(await reopenReview(call, { ...params, ...body }), call.clock.now()),
  },
  'portal.candidateContext.get': {
    read: async (call, { params }) => ({
      sessionId: params.sessionId,
      statements: (await readStatements(call, { orgId: call.scope.orgId, sessionId: params.sessionId })).map(
        contextStatementView,
      ),
    }),
  },
} satisfies Partial<HandlerMap>
