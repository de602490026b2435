import { agentHeardWithinSeconds, endpoint, invalid } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { decodePosition, encodePosition } from '../../../platform/cursor.ts'
import { observationsOf } from '../../interviews/integrity-events/integrity-events.service.ts'
import { readStates } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import { eventView } from '../../interviews/integrity-events/integrity-events.view.ts'
import { healthOf } from '../../interviews/lanes/lanes.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { noteWatching } from '../audit/watching.service.ts'
import { readCompanion } from '../companions/companions.service.ts'
import { latestStill } from '../evidence/evidence.service.ts'
import type { EvidenceRow } from '../evidence/evidence.types.ts'
import { liveLanesView } from './live.lanes.view.ts'

const listOf = (sessionId: string): string => `live:${sessionId}`

interface LiveQuery {
  readonly since?: string | undefined
  readonly limit: number
}

/** Positions are dense, so the newest are found by their key, and a poll that finds nothing reads nothing. */
const readSignals = async (call: Reads, session: SessionRow, { since, limit }: LiveQuery) => {
  const asked = since === undefined ? undefined : decodePosition(listOf(session.id), since)
  if (since !== undefined && asked === undefined) throw invalid('since', 'is not a cursor of this session')
  const after = asked ?? Math.max(0, session.eventCount - limit)
  const rows =
    session.eventCount > after
      ? await observationsOf(
          { reader: call.reader, scope: call.scope },
          { sessionId: session.id, offset: after, limit: limit + 1 },
        )
      : []
  const items = rows.slice(0, limit)
  const { positions } = await readStates({ reader: call.reader, scope: call.scope }, session.id)
  return {
    cursor: encodePosition(listOf(session.id), after + items.length),
    signals: {
      items: items.filter(({ position }) => !positions.has(position)).map((row) => eventView(session.id, row)),
      more: rows.length > limit,
      total: session.eventCount - positions.size,
    },
  }
}

const frameView = (call: Needs<'config'>, { permissions }: ActorOf<'user'>, still: EvidenceRow | undefined) => {
  if (!still) return null
  const { id, evidenceType, capturedAt, contentType, sizeBytes } = still
  const path = endpoint('portal.evidence.content').path.replace('{id}', id)
  const downloadUrl = permissions.includes('evidence.view') ? `${call.config.baseUrl}${path}` : null
  return { evidenceId: id, evidenceType, capturedAt: iso(capturedAt), contentType, sizeBytes, downloadUrl }
}

/**
 * Whether the agent is there is answered from the time it was last heard of, which every process writes: for a request at
 * once, for a live socket at each round of its pings. So the answer is the same whichever process holds the socket.
 */
const agentView = (session: SessionRow, now: number) => ({
  connected: session.lastContactAt !== null && now - session.lastContactAt <= agentHeardWithinSeconds * 1000,
  lastSeenAt: isoOrNull(session.lastContactAt),
})

/** What goes on in a session right now, as this member may see it. While it goes on, a look is written down. */
export const readLive = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'db' | 'scope'>,
  { sessionId, query }: { readonly sessionId: string; readonly query: LiveQuery },
) => {
  const { actor } = call
  const { reader } = call.db
  const session = await getSession({ ...call, reader }, sessionId)
  if (session.state !== 'ended') await noteWatching(call, sessionId)
  const now = call.clock.now()
  const [{ signals, cursor }, health, still, phone] = await Promise.all([
    readSignals({ ...call, reader }, session, query),
    healthOf({ reader, scope: call.scope }, sessionId),
    actor.permissions.includes('evidence.list') ? latestStill({ ...call, reader }, sessionId) : undefined,
    readCompanion({ ...call, reader }, { sessionId }),
  ])
  return {
    sessionId,
    state: session.state,
    startedAt: isoOrNull(session.startedAt),
    endedAt: isoOrNull(session.endedAt),
    serverTime: iso(now),
    cursor,
    signals,
    permissions: session.permissions,
    lanes: liveLanesView(health),
    latestFrame: frameView(call, actor, still),
    phone: phone.paired || session.config.sideView.enabled ? phone : null,
    agent: agentView(session, now),
  }
}
