import { askedPeriod } from '../../../kernel/asked-period.ts'
import type { HandlerMap } from '../../../kernel/handler.ts'
import { captureChainOf } from './evidence.chain.service.ts'
import { downloadEvidence, downloadSealed } from './evidence.download.service.ts'
import { listEvidence, mintDownloadUrl, viewEvidence } from './evidence.service.ts'

export const evidenceRoutes = {
  'sessions.evidence.list': {
    read: async (call, { params, query }) =>
      listEvidence(call, {
        sessionId: params.id,
        options: { evidenceType: query.evidence_type, period: askedPeriod(query) },
        query,
      }),
  },
  'sessions.captureChain.get': { read: (call, { params }) => captureChainOf(call, params.id) },
  'portal.captureChain.get': { read: (call, { params }) => captureChainOf(call, params.id) },
  'evidence.get': {
    write: async (call, input) => viewEvidence(call, input.params.id),
  },
  'evidence.downloadUrl': {
    write: async (call, input) => mintDownloadUrl(call, input.params.id),
  },
  'evidence.content': {
    content: (call, input) => downloadEvidence(call, input.params.id),
  },
  'evidence.sealed': { content: (call, { params }) => downloadSealed(call, params.id) },
  'portal.evidence.sealed': { content: (call, { params }) => downloadSealed(call, params.id) },
  'portal.evidence.list': {
    read: async (call, { params, query }) =>
      listEvidence(call, {
        sessionId: params.id,
        options: { evidenceType: query.evidence_type, period: askedPeriod(query) },
        query,
      }),
  },
  'portal.evidence.get': {
    write: async (call, input) => viewEvidence(call, input.params.id),
  },
  'portal.evidence.content': {
    content: (call, input) => downloadEvidence(call, input.params.id),
  },
} satisfies Partial<HandlerMap>
