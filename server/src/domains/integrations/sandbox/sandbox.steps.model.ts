import type {
  EventDataOf,
  EventType,
  GapReason,
  IntegrityEventKind,
  LaneName,
  ObservationKind,
  ObservationValue,
  ObserverName,
} from '@integrity/protocol'
import { turnsBetween } from './sandbox.script.model.ts'

type CompanionEvent = Extract<EventType, `companion.${string}`>

interface Told<Kind, Source, Value> {
  readonly kind: Kind
  readonly source: Source
  readonly value: Value
  /** It was so when observing began: nothing that happened. */
  readonly before?: true
}
/** Something the simulated agent observes, or says of itself. */
export type Sight =
  | { [Kind in ObservationKind]: Told<Kind, ObserverName, ObservationValue<Kind>> }[ObservationKind]
  | Told<'agent.started', 'session', EventDataOf<'agent.started'>>

/** Kinds that the agent says of its own recording. */
type ToldKind = Exclude<IntegrityEventKind, ObservationKind>
export type AgentTold = { [Kind in ToldKind]: { readonly kind: Kind; readonly data: EventDataOf<Kind> } }[ToldKind]

/** What a step does. */
export type Act =
  /** Declines all that is asked for. */
  | { readonly do: 'decline' }
  | { readonly do: 'register'; readonly declines: readonly LaneName[] }
  | { readonly do: 'observe'; readonly sights: readonly Sight[] }
  | { readonly do: 'lanes'; readonly health: 'up' | 'down'; readonly reason?: 'offline' }
  /** One lane goes away or comes back; while it is away, nothing of it is captured and its time is a gap. */
  | { readonly do: 'lane'; readonly lane: LaneName; readonly away: GapReason | null }
  /** What the agent says of itself. */
  | { readonly do: 'tell'; readonly told: AgentTold }
  /** Captures and delivers at once. */
  | { readonly do: 'capture' }
  /** Captures and keeps: the instant counts, the bytes are delivered later. */
  | { readonly do: 'keep' }
  /** Delivers what was kept. */
  | { readonly do: 'deliver' }
  /** Reports the gap that a broken connection left, and that the lanes are up. */
  | { readonly do: 'reconnect' }
  | { readonly do: 'upload' }
  /** A sentence of the script ends here, and the one before it becomes final; without one it is only the latter. */
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

export const inOrder = (...parts: readonly (readonly Step[])[]): Step[] => parts.flat().sort((a, b) => a.at - b.at)

const every = (seconds: number, from: number, to: number, make: (at: number, index: number) => Step): Step[] =>
  Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, index) => make(from + index * seconds, index))

export const captures = (from: number, to: number): Step[] =>
  every(captureEvery, from, to, (at) => ({
    at,
    what: 'Pictures and sound are captured and delivered, with the coverage since the last ones.',
    act: { do: 'capture' },
  }))

export const keeps = (from: number, to: number): Step[] =>
  every(captureEvery, from, to, (at) => ({
    at,
    what: 'Pictures and sound are captured and kept on the computer.',
    act: { do: 'keep' },
  }))

/** A conversation of that many interview seconds; its last sentence becomes final a little later. */
export const talk = (from: number, to: number): Step[] => [
  ...turnsBetween(from, to).map(({ sentence, until }) => ({
    at: until,
    what: 'A sentence was spoken; a provisional segment becomes final when the next one comes.',
    act: { do: 'speak' as const, sentence },
  })),
  { at: to + 10, what: 'The last sentence becomes final.', act: { do: 'speak', sentence: null } },
]

const display = { id: 'sim-display-1', x: 0, y: 0, width: 640, height: 360, primary: true }

export const begin = (declines: readonly LaneName[] = []): Step[] => [
  { at: 0, what: 'The candidate agrees and the agent registers.', act: { do: 'register', declines } },
  { at: 5, what: 'The lanes are up.', act: { do: 'lanes', health: 'up' } },
  {
    at: 10,
    what: 'The agent reports what it found: a display, a microphone, the network.',
    act: {
      do: 'observe',
      sights: [
        { kind: 'agent.started', source: 'session', value: { resumed: false } },
        { kind: 'display.added', source: 'displays', value: display, before: true },
        {
          kind: 'device.added',
          source: 'devices',
          value: { kind: 'microphone', name: 'Simulated', listed: null },
          before: true,
        },
        {
          kind: 'network.changed',
          source: 'network',
          value: [{ interface: 'simulated', families: ['IPv4'] }],
          before: true,
        },
      ],
    },
  },
]

export const sight = (at: number, seen: Sight, what: string): Step => ({
  at,
  what,
  act: { do: 'observe', sights: [seen] },
})

export const usual: readonly Step[] = [
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

export const chunkedUpload = (at: number): Step => ({
  at,
  what: 'A larger item goes up in parts: films where the policy asks for them, and the sound of the computer.',
  act: { do: 'upload' },
})
export const end = (at: number): Step => ({ at, what: 'The agent ends the session.', act: { do: 'end' } })

export const firstNo: Step = {
  at: 0,
  what: 'The candidate declines everything, and reads it again.',
  act: { do: 'decline' },
}

export const phone = (at: number, type: CompanionEvent, what: string): Step => ({
  at,
  what,
  act: { do: 'phone', type },
})
