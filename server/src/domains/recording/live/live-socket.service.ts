import { type LiveMessage, liveCloseCodes } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { LiveSocketHandler } from '../../../kernel/handler.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Parts } from '../../../kernel/parts.ts'
import { iso } from '../../../kernel/time.ts'
import type { LiveConnection } from '../../../platform/sockets/live-connection.ts'
import { createWaiter } from '../../../platform/waiter.ts'
import { sessionsChannel } from '../../interviews/sessions/live.wake.service.ts'
import { credentialEndsAt, refuseErased } from '../../interviews/sessions/sessions.policy.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { type CredentialStanding, credentialStandingsAcrossOrgs, touchContactsAcrossOrgs } from './live-socket.store.ts'

/** How long a lost wake-up may go unnoticed. */
const pollMs = 5000
/** A contact younger than this is not written again. */
const contactMs = 10_000
const minuteMs = 60_000

interface Member {
  readonly actor: ActorOf<'agent'>
  readonly connection: LiveConnection
  /** What the agent has been told. */
  policyVersion: number
  watchedMinute: number
  ended: boolean
}

export interface LiveWatch {
  add(member: Member): void
}

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** Looks after the agents that listen on live sockets of this process. */
    readonly liveWatch: LiveWatch
  }
}

const keyOf = (orgId: string, credentialId: string): string => `${orgId} ${credentialId}`

const say = (connection: LiveConnection, message: LiveMessage): void => connection.send(JSON.stringify(message))

/** A look is written down once a minute, so it holds until the end of the next. */
const tellOfWatching = (member: Member, { watchedMinute }: CredentialStanding, now: number): void => {
  if (watchedMinute === null || watchedMinute <= member.watchedMinute) return
  member.watchedMinute = watchedMinute
  const seconds = Math.ceil(((watchedMinute + 2) * minuteMs - now) / 1000)
  if (seconds > 0) say(member.connection, { type: 'watched', seconds })
}

/** Tells a member what has changed for it, or that it is over. */
const tell = (member: Member, standing: CredentialStanding | undefined, now: number): void => {
  const over =
    standing === undefined ||
    standing.revokedAt !== null ||
    standing.erasedAt !== null ||
    now >= credentialEndsAt('agent', standing)
  if (over) {
    member.connection.close(liveCloseCodes.credentialOver, 'this credential opens nothing any more')
    return
  }
  if (standing.policyVersion > member.policyVersion) {
    member.policyVersion = standing.policyVersion
    say(member.connection, { type: 'config_changed', policyVersion: standing.policyVersion })
  }
  tellOfWatching(member, standing, now)
  if (standing.state === 'ended' && !member.ended) {
    member.ended = true
    say(member.connection, { type: 'session_ended' })
  }
}

/** One read for all members at every wake-up, and at a poll; it runs while there are members. */
export const createLiveWatch = (app: Pick<Parts, 'clock' | 'db' | 'log' | 'sockets'>): LiveWatch => {
  const members = new Set<Member>()
  const waiter = createWaiter(app.clock)
  const { signal: never } = new AbortController()
  let running = false

  const look = async (): Promise<void> => {
    const asked = [...members]
    const keys = asked.map(({ actor }) => ({ orgId: actor.orgId, credentialId: actor.id }))
    const rows = await credentialStandingsAcrossOrgs(app.db.reader, keys)
    const standings = new Map(rows.map((row) => [keyOf(row.orgId, row.credentialId), row]))
    for (const member of asked) tell(member, standings.get(keyOf(member.actor.orgId, member.actor.id)), app.clock.now())
  }

  const run = async (): Promise<void> => {
    // Listening begins before the first read: a change that commits in between is either read or announced.
    const stopListening = app.db.listen(sessionsChannel, () => waiter.wake())
    try {
      while (members.size > 0) {
        // A database that is down for a while costs nobody the socket: the next look finds what this one missed.
        await look().catch((error: unknown) => app.log.warn({ err: error }, 'live sockets could not be looked after'))
        if (members.size > 0) await waiter.wait(pollMs, never)
      }
    } finally {
      // In the same turn as the last member was seen to have gone: who comes next begins again.
      running = false
      stopListening()
    }
  }

  const touch = async (heard: readonly LiveConnection[]): Promise<void> => {
    const there = new Set(heard)
    const keys = [...members].filter(({ connection }) => there.has(connection)).map(({ actor }) => actor)
    if (keys.length === 0) return
    const now = app.clock.now()
    await app.db
      .transact((tx) => touchContactsAcrossOrgs(tx, keys, { now, stale: now - contactMs }))
      .catch((error: unknown) => app.log.warn({ err: error }, 'contacts could not be written'))
  }
  app.sockets.onRound((heard) => void touch(heard))

  return {
    add(member) {
      members.add(member)
      void touch([member.connection])
      const leave = () => {
        members.delete(member)
        if (members.size === 0) waiter.wake()
      }
      member.connection.ended.addEventListener('abort', leave, { once: true })
      waiter.wake()
      if (running) return
      running = true
      void run()
    },
  }
}

/** The session that an agent wants to hear of. Throws `conflict` once its evidence was erased. */
const openSession = async (call: Reads & By<ActorOf<'agent'>>): Promise<SessionRow> => {
  const session = await getSession({ reader: call.reader, scope: call.scope }, call.actor.sessionId)
  refuseErased(session)
  return session
}

/**
 * Greets the agent and tells it of changes of its session from then on, whichever process made them, until the socket is over.
 * It is closed when the credential is revoked or runs out, and when the session's evidence is erased.
 */
const followSession = (
  call: By<ActorOf<'agent'>> & Needs<'clock' | 'liveWatch'>,
  { policyVersion }: SessionRow,
  connection: LiveConnection,
): void => {
  say(connection, { type: 'hello', policyVersion, serverTime: iso(call.clock.now()) })
  call.liveWatch.add({ actor: call.actor, connection, policyVersion, watchedMinute: 0, ended: false })
}

/** The live socket of a session's agent. */
export const liveSocketHandler: LiveSocketHandler = {
  open: async (call) => {
    const session = await openSession(call)
    return { group: session.id, follow: (connection) => followSession(call, session, connection) }
  },
}
