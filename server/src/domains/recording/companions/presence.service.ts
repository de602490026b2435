import { invalid, type presenceBody, presenceIntervalSeconds, presenceMissedIntervals } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, WriteCall, Writes } from '../../../kernel/call.ts'
import { type ActorOf, system } from '../../../kernel/identity/actor.ts'
import { noteChange } from '../../interviews/reviews/changes.service.ts'
import { admitDelivery, admitLane, clockToleranceMs, readInstant } from '../../interviews/sessions/sessions.policy.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { companionOf } from './companions.service.ts'
import { type CompanionRow, findCompanion, insertBeats, updateCompanion } from './companions.store.ts'
import { companionConfig } from './companions.view.ts'
import { walkBeats } from './presence.model.ts'
import { tellChanges, tellLater } from './telling.service.ts'

/** Silence after which a phone counts as interrupted. */
const silenceMs = presenceIntervalSeconds * presenceMissedIntervals * 1000

type Beat = z.output<typeof presenceBody>['beats'][number]

/** Looks again when three intervals have gone by; while one look is waiting, no other is added. */
const watch = (call: Writes & Needs<'jobs'>, companionId: string, at: number) =>
  call.jobs.enqueue(call, {
    kind: 'companions.watch',
    payload: { companionId },
    runAt: at,
    dedupeKey: companionId,
  })

const atOf = (beat: Beat, index: number, pairedAt: number, now: number): number => {
  const at = readInstant(beat.at, `beats.${index}.at`)
  if (at > now + clockToleranceMs) throw invalid(`beats.${index}.at`, 'lies in the future: is the clock right?')
  if (at < pairedAt - clockToleranceMs)
    throw invalid(`beats.${index}.at`, 'lies before this phone was paired: is the clock right?')
  return at
}

const phoneState = (companion: CompanionRow) => ({
  recording: companion.recording === 'on' ? ('on' as const) : ('off' as const),
  interruptedAt: companion.interruptedAt,
  lastBeatAt: companion.lastBeatAt,
})

/** Stores beats once for each clientId and tells of what changed. Beats from after the session's end are left out. */
export const receivePresence = async (call: WriteCall<ActorOf<'companion'>>, beats: readonly Beat[]) => {
  const { tx, scope, actor } = call
  const session = await lockSession(call, actor.sessionId)
  const now = call.clock.now()
  admitDelivery(session, now)
  admitLane(session, 'side_view', session.endedAt ?? now)
  const companion = await companionOf(call)
  const end = session.endedAt ?? Number.POSITIVE_INFINITY
  const read = beats.map((beat, index) => ({ ...beat, at: atOf(beat, index, companion.pairedAt, now) }))
  const inside = read.filter(({ at }) => at <= end)
  const rows = inside.map(({ clientId, at, ...rest }) => ({ clientId, at, beat: JSON.stringify(rest) }))
  const added = rows.length === 0 ? new Set<string>() : await insertBeats(tx, scope, companion.id, rows, now)
  const fresh = inside.filter(({ clientId }) => added.delete(clientId))
  const { state, events } = walkBeats(phoneState(companion), fresh)
  const newest = fresh.find(({ at }) => at === state.lastBeatAt)
  await updateCompanion(tx, scope, companion.id, {
    ...state,
    lastContactAt: now,
    ...(newest && { lastBeat: JSON.stringify(newest) }),
  })
  await tellLater(call, { companion, events })
  if (session.state !== 'ended') await watch(call, companion.id, now + silenceMs)
  if (fresh.length > 0)
    await call.audit.append(call, {
      action: 'companion.presence_received',
      target: companion.id,
      sessionId: session.id,
    })
  if (fresh.length > 0 && session.state === 'ended') await noteChange(call, { session, cause: 'evidence' })
  return {
    accepted: fresh.length,
    duplicates: inside.length - fresh.length,
    ignored: read.length - inside.length,
    session: { state: session.state },
    config: companionConfig(session.config),
  }
}

/** Asked when three intervals may have gone by without a word. Answers nothing; looks again where the phone spoke. */
export const lookAfterPhone = async (
  call: Writes & Needs<'audit' | 'clock' | 'jobs' | 'outbox'>,
  companionId: string,
): Promise<void> => {
  const { tx, scope } = call
  const known = await findCompanion(tx, scope, companionId)
  if (!known) return
  const session = await lockSession(call, known.sessionId)
  const companion = await findCompanion(tx, scope, companionId)
  const contact = companion?.lastContactAt
  if (!companion || companion.endedAt !== null || session.state === 'ended' || contact == null) return
  if (call.clock.now() - contact < silenceMs) {
    await watch(call, companionId, contact + silenceMs)
    return
  }
  if (companion.interruptedAt !== null) return
  await updateCompanion(tx, scope, companionId, { interruptedAt: contact })
  // Silence has settled already.
  await tellChanges(call, { session, companion, events: [{ type: 'interrupted', at: contact }] })
  await call.audit.append(
    { tx, scope, actor: system },
    {
      action: 'companion.interrupted',
      target: companionId,
      sessionId: session.id,
    },
  )
}
