import type { IntegrityClient } from '@integrity/client'
import * as z from 'zod'

type Shape = Readonly<Record<string, z.ZodType>>
type Taken<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> }

/** One thing that an assistant may read. */
export interface Tool {
  readonly name: string
  readonly summary: string
  readonly takes: Shape
  readonly read: (client: IntegrityClient, input: Record<string, unknown>) => Promise<unknown>
}

/** Keeps what a tool takes and what it reads with of one type. */
const tool = <S extends Shape>(
  name: string,
  summary: string,
  takes: S,
  read: (client: IntegrityClient, input: Taken<S>) => Promise<unknown>,
): Tool => ({
  name,
  summary,
  takes,
  read: (client, input) => read(client, z.object(takes).parse(input) as unknown as Taken<S>),
})

const session = { sessionId: z.string().describe('id of a session: `ses_…`') }
const page = {
  limit: z.number().int().min(1).max(100).default(20),
  offset: z.number().int().min(0).default(0),
}
const webhook = { webhookId: z.string().describe('id of a webhook: `whk_…`') }

const reading: readonly Tool[] = [
  tool('whose_key', 'The organisation, the environment and the scopes of the key.', {}, (c) => c.call('orgs.self')),
  tool('list_sessions', 'Interview sessions, newest first.', page, (c, query) => c.call('sessions.list', { query })),
  tool('get_session', 'One session: its state, its plan and what it records.', session, (c, { sessionId }) =>
    c.call('sessions.get', { params: { id: sessionId } }),
  ),
  tool(
    'get_report',
    'The report of a session: the account of every second of each lane, and the moments at which something was observed.',
    session,
    (c, { sessionId }) => c.call('sessions.report', { params: { id: sessionId } }),
  ),
  tool('get_review_status', 'Whether people have reviewed a session.', session, (c, { sessionId }) =>
    c.call('sessions.reviewStatus', { params: { id: sessionId } }),
  ),
  tool('list_observations', 'What was observed in a session, in its order.', { ...session, ...page }, (c, given) => {
    const { sessionId, ...query } = given
    return c.call('sessions.events.list', { params: { id: sessionId }, query })
  }),
  tool(
    'list_evidence',
    'What was recorded of a session: kinds, times and hashes, no bytes.',
    { ...session, ...page },
    (c, given) => {
      const { sessionId, ...query } = given
      return c.call('sessions.evidence.list', { params: { id: sessionId }, query })
    },
  ),
  tool('list_events', 'Published events, newest first.', page, (c, query) => c.call('events.list', { query })),
  tool('list_webhooks', 'Where events are delivered.', page, (c, query) => c.call('webhooks.list', { query })),
  tool('list_deliveries', 'The deliveries of one webhook with their attempts.', { ...webhook, ...page }, (c, given) => {
    const { webhookId, ...query } = given
    return c.call('webhooks.deliveries.list', { params: { id: webhookId }, query })
  }),
  tool('get_simulation', 'How far a played sandbox interview is.', session, (c, { sessionId }) =>
    c.call('sandbox.simulation', { params: { id: sessionId } }),
  ),
]

const transcript = tool('get_transcript', 'What was said in a session.', { ...session, ...page }, (c, given) => {
  const { sessionId, ...query } = given
  return c.call('sessions.transcript', { params: { id: sessionId }, query })
})

/** At most 12. What was said is read only where whoever starts it asked for that. */
export const toolsOf = ({ transcripts }: { readonly transcripts: boolean }): readonly Tool[] =>
  transcripts ? [...reading, transcript] : reading
