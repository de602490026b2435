import { type EndpointMap, timelineKinds } from '@integrity/protocol'
import type { Reads } from '../../kernel/call.ts'
import type { HandlerMap, Input } from '../../kernel/handler.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import { listTimeline } from './timeline.store.ts'
import { readTranscript, upsertSegments } from './transcripts.service.ts'
import { segmentView, timelineView } from './transcripts.view.ts'

type Asked = Input<EndpointMap['sessions.transcript']> | Input<EndpointMap['portal.transcript']>

const transcript = async (call: Reads, { params, query }: Asked) => {
  const { rows, total, gaps, cursor } = await readTranscript(call, params.id, query)
  return { items: rows.map(segmentView), total, limit: query.limit, offset: query.offset, gaps: [...gaps], cursor }
}

export const transcriptsRoutes = {
  'sessions.transcript': { read: transcript },
  'portal.transcript': { read: transcript },
  'agent.transcript.upsert': {
    write: async (call, input) => ({
      upserted: await upsertSegments(call, input.params.id, input.body.segments),
    }),
  },
  'portal.timeline': {
    read: async (call, { params, query }) => {
      const session = await getSession(call, params.id)
      const { kind, limit, offset } = query
      const kinds = kind === undefined ? timelineKinds : [kind]
      const { entries, total } = await listTimeline(call.reader, call.scope, session.id, kinds, { limit, offset })
      return { items: entries.map(timelineView), total, limit, offset }
    },
  },
} satisfies Partial<HandlerMap>
