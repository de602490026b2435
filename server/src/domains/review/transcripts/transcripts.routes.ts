import type { EndpointMap } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import type { HandlerMap, Input } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { readTranscript, upsertSegments } from './transcripts.service.ts'
import { segmentView } from './transcripts.view.ts'

type Asked = Input<EndpointMap['sessions.transcript']> | Input<EndpointMap['portal.transcript']>

const transcript = async (call: Reads & Needs<'transcriptGaps'>, { params, query }: Asked) => {
  const { page, total, gaps, cursor } = await readTranscript(call, { sessionId: params.id, query })
  return { ...pageView(page, total, segmentView), gaps: [...gaps], cursor }
}

export const transcriptsRoutes = {
  'sessions.transcript': { read: transcript },
  'portal.transcript': { read: transcript },
  'agent.transcript.upsert': {
    write: async (call, input) => upsertSegments(call, { sessionId: input.params.id, segments: input.body.segments }),
  },
} satisfies Partial<HandlerMap>
