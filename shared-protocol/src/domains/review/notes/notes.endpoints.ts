import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { listOf, pagingQuery } from '../../../core/primitives.ts'
import * as s from './notes.schemas.ts'

const path = '/v1/sessions/{id}/notes'

/** What people write beside a session. Nobody edits or deletes it. */
export const notesEndpoints = [
  defineEndpoint({
    id: 'portal.notes.list',
    method: 'GET',
    path,
    summary: 'Notes, oldest first.',
    auth: [user('report.view')],
    sessionParam: 'id',
    query: pagingQuery,
    response: listOf(s.sessionNote),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.notes.add',
    method: 'POST',
    path,
    summary:
      "Attach a note under the writer's name and role of now; a sign-off before it is stale. Notes and annotations: 1,000,000 characters.",
    auth: [user('report.annotate')],
    sessionParam: 'id',
    body: s.noteCreate,
    response: s.sessionNote,
    success: [201],
    effect: 'write',
    emits: ['report.stale'],
  }),
] as const
