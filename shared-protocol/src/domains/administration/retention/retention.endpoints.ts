import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf } from '../../../core/primitives.ts'
import * as s from './retention.schemas.ts'

const all = '/v1/orgs/{orgId}/retention'
const managed = { auth: [user('retention.manage')], success: [200] } as const
const holds = { auth: [user('legal_hold.manage')], method: 'PUT', effect: 'write', success: [200] } as const

/** How long evidence is kept, what may not be deleted, and the sweep that deletes what is due. */
export const retentionEndpoints = [
  defineEndpoint({
    ...managed,
    id: 'portal.retention.get',
    method: 'GET',
    path: all,
    summary: "The organisation's window, the plan's ceiling, which of them is in force, and the legal hold.",
    response: s.retention,
    effect: 'read',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.retention.put',
    method: 'PUT',
    path: all,
    summary: 'Set the window. One above the ceiling is stored as it is, and shown as capped.',
    details:
      'A session is kept for the shortest of what its candidate was told, this window and the ceiling: a longer window keeps nothing longer than a candidate was told. New sessions that name no days get this window.',
    body: s.retentionPut,
    response: s.retention,
    effect: 'write',
  }),
  defineEndpoint({
    ...holds,
    id: 'portal.retention.hold',
    path: `${all}/legal-hold`,
    summary: 'Place or release the legal hold of the whole organisation: while it is on, nothing is deleted.',
    details: 'Releasing deletes nothing by itself. Every placing and releasing is kept.',
    body: s.holdPut,
    response: s.retention,
  }),
  defineEndpoint({
    id: 'portal.retention.sessions.holdOf',
    auth: [user('legal_hold.manage')],
    method: 'GET',
    path: `${all}/sessions/{sessionId}/legal-hold`,
    summary: 'The legal hold of one session, in either environment, and its version.',
    response: s.sessionHold,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    ...holds,
    id: 'portal.retention.sessions.hold',
    path: `${all}/sessions/{sessionId}/legal-hold`,
    summary: 'Place or release the legal hold of one session, in either environment.',
    details: 'Releasing deletes nothing by itself. Every placing and releasing is kept.',
    body: s.holdPut,
    response: s.sessionHold,
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.retention.preview',
    method: 'GET',
    path: `${all}/preview`,
    summary: 'Ended sessions of both environments that are due within some days, first due first.',
    details: 'With `days` 0 these are the very sessions that a sweep deletes now, but for those marked as held.',
    query: s.previewQuery,
    response: listOf(s.dueSession, { totals: s.dueTotals }),
    effect: 'read',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.retention.run',
    method: 'POST',
    path: `${all}/run`,
    summary: 'Begin a deletion sweep, or go on with the one that is not through. Bounded for each call.',
    details:
      'What is due is erased as a whole session is: the keys first, then the bytes; times, counts and tombstones stay. Nothing else ever starts a sweep.',
    body: s.sweepBody,
    bodyOptional: true,
    response: s.sweepRun,
    effect: 'write',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.retention.sweep',
    method: 'GET',
    path: `${all}/sweep`,
    summary: 'What came of the latest sweep.',
    response: s.sweep,
    effect: 'read',
  }),
] as const
