import type { Client } from '@integrity/client/every-endpoint'
import type { TestServer } from '../../test-support/server.ts'

export interface Segment {
  segmentId: string
  sequence: number
  speaker: 'candidate' | 'interviewer' | 'unknown'
  startMs: number
  endMs: number
  text: string
  language?: string
  final: boolean
  confidence?: number
}

/** A second of speech that begins at `n` seconds. */
export const segment = (n: number, overrides: Partial<Segment> = {}): Segment => ({
  segmentId: `s${n}`,
  sequence: n,
  speaker: 'candidate',
  startMs: n * 1000,
  endMs: n * 1000 + 1000,
  text: `words ${n}`,
  final: true,
  ...overrides,
})

export interface Live {
  readonly id: string
  readonly agent: Client
  /** When it went live, in epoch milliseconds. */
  readonly startedAt: number
}

/** Live sessions of the server's first organisation, and what these suites do with them. */
export const transcriptsOf = (server: TestServer) => {
  const api = server.client(server.orgs[0].sandboxKey)
  /** A live session whose candidate agreed to the transcript, unless told otherwise. */
  const live = async (
    options: { transcript?: boolean; consent?: boolean; candidateOnly?: boolean } = {},
  ): Promise<Live> => {
    const { transcript = true, consent = true, candidateOnly = false } = options
    const audio = { transcript, candidateOnly }
    const { data: session } = await api.call('sessions.create', { body: { config: { audio } } })
    const agent = server.client(session.agentJoinToken)
    const params = { id: session.id }
    const { data: config } = await agent.call('agent.sessions.config', { params })
    const { version, locale, hash: documentHash, lanes } = config.consentDocument
    const { data: detail } = await agent.call('agent.sessions.register', {
      body: {
        consent: {
          version,
          locale,
          documentHash,
          acceptedAt: new Date(server.clock.now()).toISOString(),
          lanes: Object.fromEntries(lanes.map(({ lane }) => [lane, lane === 'transcript' ? consent : true])),
        },
      },
    })
    return { id: session.id, agent, startedAt: Date.parse(detail.startedAt ?? '') }
  }
  const upsert = async (session: Live, ...segments: Segment[]) =>
    (await session.agent.call('agent.transcript.upsert', { params: { id: session.id }, body: { segments } })).data
      .upserted
  const read = async (session: Live, query: { since?: string; limit?: number; offset?: number } = {}) =>
    (await api.call('sessions.transcript', { params: { id: session.id }, query })).data
  return { live, upsert, read }
}
