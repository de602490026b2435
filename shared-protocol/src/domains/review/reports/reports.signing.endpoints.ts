import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { annotation } from './coverage.schemas.ts'
import * as s from './reports.signing.schemas.ts'

const write = { method: 'POST', sessionParam: 'id', success: [201], effect: 'write' } as const

/** What people make of a report. */
export const reportsSigningEndpoints = [
  defineEndpoint({
    ...write,
    id: 'portal.report.signOff',
    path: '/v1/sessions/{id}/report/revisions',
    summary: 'Sign off the report of an ended session as a new revision, which supersedes the one before.',
    details:
      'For whoever has the review of the session, and for holders of `session.review.assign`. The report is frozen as canonical JSON; ' +
      'what comes after it, such as late evidence, a note, an annotation, a statement of the candidate or an erasure, makes the ' +
      'revision stale, once. While a statement of the candidate is unread, it is a conflict unless `acknowledgeUnread` is true.',
    auth: [user('report.sign_off')],
    body: s.signOff,
    response: s.reportRevision,
    emits: ['report.finalized'],
  }),
  defineEndpoint({
    ...write,
    id: 'portal.coverage.annotate',
    path: '/v1/sessions/{id}/coverage/annotations',
    summary: 'Explain one moment of a session. It makes a sign-off before it stale.',
    auth: [user('report.annotate')],
    body: s.annotationCreate,
    response: annotation,
    emits: ['report.stale'],
  }),
] as const
