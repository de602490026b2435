import { timelineKinds } from '@integrity/protocol'
import type { CallOf, HandlerMap } from '../../kernel/handler.ts'
import { getSession } from '../sessions/sessions.service.ts'
import { listTimeline } from './timeline.store.ts'
import { readTranscript, upsertSegments } from './transcripts.service.ts'
import { segmentView, timelineView } from './transcripts.view.ts'

const transcript = async ({ app, scope, input }: CallOf<'sessions.transcript'> | CallOf<'portal.transcript'>) => {
  const { params, query } = input
  const { rows, total, gaps, cursor } = await readTranscript(app.db.reader, scope, params.id, query)
  return { items: rows.map(segmentView), total, limit: query.limit, offset: query.offset, gaps: [...gaps], cursor }
}

export const transcriptsRoutes = {
  'sessions.transcript': { read: transcript },
  'portal.transcript': { read: transcript },
  'agent.transcript.upsert': {
    write: async ({ app, tx, scope, actor, input }) => ({
      upserted: await upsertSegments(app, tx, scope, actor, input.params.id, input.body.segments),
    }),
  },
  'portal.timeline': {
    read: async ({ app, scope, input: { params, query } }) => {
      const session = await getSession(app.db.reader, scope, params.id)
      const { kind, limit, offset } = query
      const kinds = kind === undefined ? timelineKinds : [kind]
      const { entries, total } = await listTimeline(app.db.reader, scope, session.id, kinds, { limit, offset })
      return { items: entries.map(timelineView), total, limit, offset }
    },
  },
} satisfies Partial<HandlerMap>
