import type {
  EventDataOf,
  EventType,
  LaneName,
  ObservationKind,
  ObservationValue,
  ObserverName,
  Scenario,
} from '@integrity/protocol'

type CompanionEvent = Extract<EventType, `companion.${string}`>

interface Told<Kind, Source, Value> {
  readonly kind: Kind
  readonly source: Source
  readonly value: Value
}
/** Something the simulated agent observes, or says of itself. */
export type Sight =
  | { [Kind in ObservationKind]: Told<Kind, ObserverName, ObservationValue<Kind>> }[ObservationKind]
  | Told<'agent.started', 'session', EventDataOf<'agent.started'>>

/** What a step does. */
export type Act =
  /** Declines all that is asked for. */
  | { readonly do: 'decline' }
  | { readonly do: 'register'; readonly declines: readonly LaneName[] }
  | { readonly do: 'observe'; readonly sights: readonly Sight[] }
  | { readonly do: 'lanes'; readonly health: 'up' | 'down'; readonly reason?: 'offline' }
  /** Captures and delivers at once. */
  | { readonly do: 'capture' }
  /** Captures and keeps: the instant counts, the bytes are delivered later. */
  | { readonly do: 'keep' }
  /** Delivers what was kept. */
  | { readonly do: 'deliver' }
  /** Reports the gap that a broken connection left, and that the lanes are up. */
  | { readonly do: 'reconnect' }
  | { readonly do: 'upload' }
  /** Says a sentence and makes the one before it final; without one it only does the latter. */
  | { readonly do: 'speak'; readonly sentence: number | null }
  | { readonly do: 'phone'; readonly type: CompanionEvent }
  | { readonly do: 'end' }
  | { readonly do: 'rest' }

export interface Step {
  /** Interview seconds after the start. */
  readonly at: number
  /** In words, for the integrator. */
  readonly what: string
  readonly act: Act
}

/** Milliseconds on the wall clock for seconds of the interview. */
export const wallMs = (timeScale: number, interviewSeconds: number): number =>
  Math.round((interviewSeconds * 1000) / timeScale)

/** Interview seconds between two captures. A real agent captures as often as the policy says. */
const captureEvery = 30
const speakEvery = 60

const inOrder = (...parts: readonly (readonly Step[])[]): Step[] => parts.flat().sort((a, b) => a.at - b.at)

const every = (seconds: number, from: number, to: number, make: (at: number, index: number) => Step): Step[] =>
  Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, index) => make(from + index * seconds, index))

const captures = (from: number, to: number): Step[] =>
  every(captureEvery, from, to, (at) => ({
    at,
    what: 'Pictures and sound are captured and delivered, with the coverage since the last ones.',
    act: { do: 'capture' },
  }))

const keeps = (from: number, to: number): Step[] =>
  every(captureEvery, from, to, (at) => ({
    at,
    what: 'Pictures and sound are captured and kept on the computer.',
    act: { do: 'keep' },
  }))

const talk = (from: number, to: number): Step[] => [
  ...every(speakEvery, from, to, (at, index) => ({
    at,
    what: 'A sentence is spoken; a provisional segment becomes final when the next one comes.',
    act: { do: 'speak', sentence: index },
  })),
  { at: to + 10, what: 'The last sentence becomes final.', act: { do: 'speak', sentence: null } },
]

const display = { id: 'sim-display-1', x: 0, y: 0, width: 640, height: 360, primary: true }

const begin = (declines: readonly LaneName[] = []): Step[] => [
  { at: 0, what: 'The candidate agrees and the agent registers.', act: { do: 'register', declines } },
  { at: 5, what: 'The lanes are up.', act: { do: 'lanes', health: 'up' } },
  {
    at: 10,
    what: 'The agent reports what it found: a display, a microphone, the network.',
    act: {
      do: 'observe',
      sights: [
        { kind: 'agent.started', source: 'session', value: { resumed: false } },
        { kind: 'display.added', source: 'displays', value: display },
        { kind: 'device.added', source: 'devices', value: { kind: 'microphone', name: 'Simulated', listed: null } },
        { kind: 'network.changed', source: 'network', value: [{ interface: 'simulated', families: ['IPv4'] }] },
      ],
    },
  },
]

const sight = (at: number, seen: Sight, what: string): Step => ({ at, what, act: { do: 'observe', sights: [seen] } })

const usual: readonly Step[] = [
  sight(
    65,
    { kind: 'foreground.changed', source: 'foreground', value: { application: 'Editor' } },
    'Another program comes to the front.',
  ),
  sight(
    125,
    { kind: 'idle.started', source: 'idle', value: { idleMs: 60_000 } },
    'No keyboard or mouse input for a while.',
  ),
  sight(155, { kind: 'idle.ended', source: 'idle', value: { idleMs: 90_000 } }, 'Keyboard or mouse input again.'),
]

const chunkedUpload = (at: number): Step => ({
  at,
  what: 'A larger item goes up in parts: films where the policy asks for them, and the sound of the computer.',
  act: { do: 'upload' },
})
const end = (at: number): Step => ({ at, what: 'The agent ends the session.', act: { do: 'end' } })

const complete = (): Step[] => inOrder(begin(), usual, captures(30, 570), talk(15, 555), [chunkedUpload(310), end(600)])

const short = (declines: readonly LaneName[] = []): Step[] =>
  inOrder(begin(declines), usual, captures(30, 270), talk(15, 255), [chunkedUpload(215), end(300)])

const firstNo: Step = { at: 0, what: 'The candidate declines everything, and reads it again.', act: { do: 'decline' } }

const phone = (at: number, type: CompanionEvent, what: string): Step => ({ at, what, act: { do: 'phone', type } })

const phoneInterrupted = (): Step[] =>
  inOrder(short(), [
    phone(20, 'companion.paired', 'A phone claims its join code.'),
    phone(40, 'companion.placement_confirmed', 'The phone is placed.'),
    phone(50, 'companion.recording_started', 'The phone records.'),
    phone(130, 'companion.interrupted', 'The phone is interrupted, as by a call.'),
    phone(190, 'companion.resumed', 'The phone is back.'),
    phone(285, 'companion.recording_stopped', 'The phone stops recording.'),
  ])

const agentOffline = (): Step[] =>
  inOrder(begin(), captures(30, 150), keeps(180, 210), captures(300, 390), talk(15, 135), [
    {
      at: 160,
      what: 'The connection breaks: the lanes go down.',
      act: { do: 'lanes', health: 'down', reason: 'offline' },
    },
    {
      at: 270,
      what: 'The agent is back: it reports the time for which it has nothing, and the lanes are up.',
      act: { do: 'reconnect' },
    },
    { at: 280, what: 'What was kept while offline arrives.', act: { do: 'deliver' } },
    end(420),
  ])

const lateEvidence = (): Step[] =>
  inOrder(begin(), captures(30, 210), keeps(240, 270), talk(15, 195), [
    end(300),
    { at: 360, what: 'What was captured before the end arrives, with its coverage.', act: { do: 'deliver' } },
  ])

const disordered = (): Step[] =>
  inOrder(complete(), [{ at: 690, what: 'The last of the late deliveries are due.', act: { do: 'rest' } }])

/** Lanes that the candidate says no to in the scenario that is about that. */
export const declinedLanes = ['camera', 'microphone'] as const satisfies readonly LaneName[]

/** The steps of each scenario, by their time. What a step finds switched off or declined, it leaves out. */
export const stepsOf: Readonly<Record<Scenario, () => Step[]>> = {
  complete_interview: complete,
  phone_interrupted: phoneInterrupted,
  agent_offline_and_back: agentOffline,
  lane_declined: () => [firstNo, ...short(declinedLanes)],
  late_evidence: lateEvidence,
  webhooks_duplicated_and_reordered: disordered,
}
