import type { liveWall } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { environments } from '../../../kernel/identity/scope.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { healthOf } from '../../interviews/lanes/lanes.service.ts'
import { listSessions } from '../../interviews/sessions/lists/sessions.list.service.ts'
import type { ShownSession } from '../../interviews/sessions/sessions.types.ts'
import { watchersOf } from '../audit/watching.service.ts'
import { phoneOf } from '../companions/companions.service.ts'
import { latestStill } from '../evidence/evidence.service.ts'
import type { EvidenceRow } from '../evidence/evidence.types.ts'
import { liveLanesView } from './live.lanes.view.ts'

type Call = Reads & By<ActorOf<'user'>> & Needs<'clock'>
type Item = z.input<typeof liveWall>['items'][number]

/** Sessions that are read at the same time. */
const atOnce = 10

const frameOf = (still: EvidenceRow | undefined): Item['latestFrame'] =>
  still ? { evidenceId: still.id, evidenceType: still.evidenceType, capturedAt: iso(still.capturedAt) } : null

const phoneView = ({ paired, ...phone }: Awaited<ReturnType<typeof phoneOf>>): Item['phone'] =>
  paired
    ? {
        recording: phone.recording,
        interruptedSince: phone.interruptedSince,
        lastContactAt: phone.lastContactAt,
      }
    : null

const itemOf = async (call: Call, session: ShownSession, viewers: number): Promise<Item> => {
  const { environment, id, state, externalId, candidateLabel, startedAt } = session
  const own = { reader: call.reader, scope: { orgId: call.scope.orgId, environment } }
  const maySee = call.actor.permissions.includes('evidence.list')
  const [health, still, phone] = await Promise.all([
    healthOf(own, id),
    maySee ? latestStill(own, id) : undefined,
    phoneOf(own, session),
  ])
  return {
    session: {
      id,
      state,
      externalId,
      candidateLabel,
      sandbox: environment === 'sandbox',
      startedAt: isoOrNull(startedAt),
    },
    lanes: liveLanesView(health),
    latestFrame: frameOf(still),
    phone: phoneView(phone),
    viewers,
  }
}

/** Every session of the organisation that goes on right now, in both environments, newest first. */
export const readWall = async (
  call: Call,
  { limit }: { readonly limit: number },
): Promise<z.input<typeof liveWall>> => {
  const { page } = await listSessions(call, { among: environments, query: { state: 'live', limit, offset: 0 } })
  const sessionIds = page.rows.map(({ id }) => id)
  const viewers = await watchersOf(call, { orgId: call.scope.orgId, sessionIds })
  const items: Item[] = []
  for (let first = 0; first < page.rows.length; first += atOnce) {
    const some = page.rows.slice(first, first + atOnce)
    items.push(...(await Promise.all(some.map((session) => itemOf(call, session, viewers.get(session.id) ?? 0)))))
  }
  return { items, more: page.nextCursor !== null, serverTime: iso(call.clock.now()) }
}
