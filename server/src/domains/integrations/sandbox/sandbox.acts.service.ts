import { type EventDataOf, isAboutRecording, type ObservationKind, recordedLanes } from '@integrity/protocol'
import { inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import { iso } from '../../../kernel/time.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { ingestEvents } from '../../interviews/integrity-events/integrity-events.ingest.service.ts'
import { settleLanes } from '../../interviews/lanes/lanes.settling.service.ts'
import { consentDocument } from '../../interviews/sessions/consent/consent.model.ts'
import { declineConsent } from '../../interviews/sessions/consent/declining.service.ts'
import { registerAgent } from '../../interviews/sessions/joining/registration.service.ts'
import { askedOf } from '../../interviews/sessions/joining/window.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { endSession } from '../../interviews/sessions/sessions.service.ts'
import { prepareCaptures } from './sandbox.captures.service.ts'
import { account, eventAt, healthEvents, type SentEvent } from './sandbox.coverage.model.ts'
import { doneBefore, laneOn, type Moment, nothing, type Work, writing } from './sandbox.moment.service.ts'
import { keepPhoneThere, reportPhone } from './sandbox.phone.service.ts'
import type { Act, Sight } from './sandbox.steps.model.ts'
import { speak } from './sandbox.talk.service.ts'
import { prepareUploads } from './sandbox.uploads.service.ts'

type Doing<D extends Act['do']> = Extract<Act, { do: D }>

/** A simulation may run faster than states settle: what a step says is told at once. */
const send = async ({ call, session }: Moment, tx: Tx, events: SentEvent[]): Promise<void> => {
  if (events.length === 0) return
  await ingestEvents(inTx(call, tx), { sessionId: session.id, events })
  await settleLanes(inTx(call, tx), session.id)
}

const documentFor = async (call: Reads & Needs<'clock' | 'config'>, sessionId: string) =>
  consentDocument(await askedOf(call, await getSession(call, sessionId)))

const register = async ({ call, session, now }: Moment, tx: Tx, { declines }: Doing<'register'>) => {
  const { version, hash, lanes, locale } = await documentFor(inTx(call, tx), session.id)
  const agreed = Object.fromEntries(lanes.map(({ lane }) => [lane, !declines.includes(lane)]))
  await registerAgent(inTx(call, tx), {
    consent: { version, locale, documentHash: hash, acceptedAt: iso(now), lanes: agreed },
    device: { name: 'Simulated computer', platform: 'simulated' },
    permissions: Object.fromEntries(
      recordedLanes.map((lane) => [lane, declines.includes(lane) ? 'denied' : 'granted']),
    ),
    capabilities: [
      { observer: 'displays', status: 'observable' },
      { observer: 'foreground', status: 'observable' },
      { observer: 'vm', status: 'not_observable', why: 'This computer is simulated.' },
    ],
  })
}

const decline = async ({ call, session, now }: Moment, tx: Tx) => {
  const inside = inTx(call, tx)
  const { hash, locale } = await documentFor(inside, session.id)
  await declineConsent(inside, { documentHash: hash, locale, declinedAt: iso(now) })
}

const told = (moment: Moment, sight: Sight): SentEvent => {
  const { kind, source, value } = sight
  if (kind === 'agent.started') return eventAt(moment, { name: kind, kind, source, data: value })
  // That the value is of this kind is what its type says.
  const before = sight.before ? { sinceBeforeSession: true } : {}
  const data = { observerVersion: 1, method: 'simulated', value, ...before } as EventDataOf<ObservationKind>
  return eventAt(moment, { name: kind, kind, source, data })
}

const observe = async (moment: Moment, tx: Tx, { sights }: Doing<'observe'>) => {
  const seen = laneOn(moment.session, 'signals') ? sights : sights.filter(({ kind }) => isAboutRecording(kind))
  const events = seen.map((sight) => told(moment, sight))
  await send(moment, tx, events)
}

const lanes = (moment: Moment, tx: Tx, { health, reason }: Doing<'lanes'>) =>
  send(moment, tx, [...account(moment), ...healthEvents(moment, health, reason)])

const lane = (moment: Moment, tx: Tx, { lane: name, away }: Doing<'lane'>) =>
  send(moment, tx, [
    ...account(moment),
    ...(away ? healthEvents(moment, 'down', away, [name]) : healthEvents(moment, 'up', undefined, [name])),
  ])

const tell = (moment: Moment, tx: Tx, { told: { kind, data } }: Doing<'tell'>) =>
  send(moment, tx, [eventAt(moment, { name: kind, kind, source: 'session', data })])

/** What was kept up to the last shot is observed; behind it is the gap. */
const reconnect = async (moment: Moment, tx: Tx) => {
  const kept = doneBefore(moment, 'keep').at(-1)
  await send(moment, tx, [...account(moment, kept?.doneAt ?? moment.now), ...healthEvents(moment, 'up')])
}

/** Time whose captures are still to come is accounted for when they do. */
const end = async (moment: Moment, tx: Tx) => {
  const { call, session } = moment
  const stopping = eventAt(moment, { name: 'agent.stopping', kind: 'agent.stopping', source: 'session', data: {} })
  const pending = doneBefore(moment, 'capture', 'keep').at(-1)?.act.do === 'keep'
  await send(moment, tx, [...(pending ? [] : account(moment)), stopping])
  await keepPhoneThere(moment, { tx })
  await endSession(inTx(call, tx), { sessionId: session.id, input: { reason: 'simulation complete' } })
}

/** The work, and after it in the same transaction the account of the time since the last one. */
const accounted = (moment: Moment, work: Work): Work => ({
  write: async (tx) => {
    await work.write(tx)
    await send(moment, tx, account(moment))
    if (moment.session.state === 'live') await keepPhoneThere(moment, { tx })
  },
  discard: work.discard,
})

/** Makes a step ready: whatever is slow happens here, and what is left runs in the step's transaction. */
export const prepareAct = async (moment: Moment): Promise<Work> => {
  const act = moment.run.steps[moment.index]?.act ?? { do: 'rest' }
  switch (act.do) {
    case 'decline':
      return writing((tx) => decline(moment, tx))
    case 'register':
      return writing((tx) => register(moment, tx, act))
    case 'observe':
      return writing((tx) => observe(moment, tx, act))
    case 'lanes':
      return writing((tx) => lanes(moment, tx, act))
    case 'lane':
      return writing((tx) => lane(moment, tx, act))
    case 'tell':
      return writing((tx) => tell(moment, tx, act))
    case 'capture':
      return accounted(moment, await prepareCaptures(moment, 'now'))
    case 'deliver':
      return accounted(moment, await prepareCaptures(moment, 'kept'))
    case 'reconnect':
      return writing((tx) => reconnect(moment, tx))
    case 'upload':
      return prepareUploads(moment)
    case 'speak':
      return writing((tx) => speak(moment, { tx, sentence: act.sentence }))
    case 'phone':
      return writing((tx) => reportPhone(moment, { tx, type: act.type }))
    case 'end':
      return writing((tx) => end(moment, tx))
    case 'keep':
    case 'rest':
      return nothing
  }
}
