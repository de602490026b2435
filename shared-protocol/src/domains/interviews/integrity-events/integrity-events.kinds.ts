import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { gapReason, type LaneName, laneHealth, laneName, maxHealthReason } from '../lanes/lanes.registry.ts'
import { permissionState } from '../sessions/sessions.schemas.ts'
import { type ObserverName, observations } from './integrity-events.observations.ts'

/** What is known of a kind of integrity event. */
export interface KindFacts {
  /** What the candidate is shown. */
  readonly sentence: string
  /** The observer that reports it; null for what the agent says of itself. */
  readonly observer: ObserverName | null
  /** The lane whose consent it needs; null for what is about the recording. */
  readonly lane: LaneName | null
  /** Of the recording, not of the candidate's computer: taken whatever was agreed, also about the time after the end. */
  readonly aboutRecording: boolean
  /** Whether the service reads the data, and refuses what is not of its shape. Else it is stored as it is. */
  readonly read: boolean
  readonly data: z.ZodType
}

const aboutRecording = <Data extends z.ZodType>(sentence: string, data: Data) => ({
  sentence,
  observer: null,
  lane: null,
  aboutRecording: true as const,
  read: false as const,
  data,
})
const readByService = <Data extends z.ZodType>(sentence: string, data: Data) => ({
  ...aboutRecording(sentence, data),
  read: true as const,
})

const span = { fromAt: instant, toAt: instant }
const seconds = z.number().min(0).max(1_000_000)
const ofLane = { lane: laneName, displayId: z.string().max(100).optional() }
const unsent = { lane: laneName, items: z.number().int(), ...span }

/**
 * Kinds of integrity event the agent, the phone and the room report. A kind that is not here is stored as it is: newer
 * agents may know more than this server.
 */
export const integrityEventKinds = {
  ...observations,
  'clock.corrected': aboutRecording(
    "The times of this recording were put right by the service's clock.",
    z.object({ movedMs: z.number().int() }),
  ),
  'lane.health': readByService(
    'A part of the recording started, weakened or stopped.',
    z.object({ ...ofLane, health: laneHealth, reason: z.string().max(maxHealthReason).optional() }),
  ),
  'lane.gap': readByService(
    'A time for which part of the recording is missing, and why.',
    z.object({
      ...ofLane,
      ...span,
      reason: gapReason,
      /** Of the signals: which observer could not see, and why in words. */
      observer: z.string().optional(),
      why: z.string().optional(),
    }),
  ),
  'lane.coverage': readByService(
    'How much was expected and how much was captured in a stretch of time.',
    z.object({ ...ofLane, ...span, expectedSeconds: seconds, observedSeconds: seconds }),
  ),
  /** Milliseconds that were added to the part's own clock to give the computer's. Told when it is first known, and when it changes. */
  'lane.clock': readByService(
    "How far the clock of a part of the recording is from the computer's clock.",
    z.object({ lane: laneName, offsetMs: z.number().int().min(-1e13).max(1e13) }),
  ),
  'lane.withdrawn': readByService('The candidate withdrew a part of the consent.', z.object({ lane: laneName })),
  'permission.changed': readByService(
    'The operating system gave or took away a permission that the recording needs.',
    z.object({ permission: z.string().min(1).max(50), state: permissionState }),
  ),
  'spool.thinned': aboutRecording(
    'Older pictures were thinned out because the space for unsent items was full.',
    z.object(unsent),
  ),
  'spool.lost': aboutRecording(
    'Unsent items could not be read back from the disk.',
    z.object({ ...unsent, reason: z.enum(['file_missing', 'file_unreadable']) }),
  ),
  'agent.started': aboutRecording('The agent started or came back.', z.object({ resumed: z.boolean() })),
  'agent.stopping': aboutRecording('The agent is stopping.', z.object({})),
  /** 0 is the policy's quality, 3 the least. */
  'quality.changed': aboutRecording(
    'The picture quality was changed to fit the network.',
    z.object({ level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]) }),
  ),
} as const satisfies Record<string, KindFacts>

type Kinds = typeof integrityEventKinds
export type IntegrityEventKind = keyof Kinds
/** What an event of this kind says, as it is written down. */
export type EventDataOf<Kind extends IntegrityEventKind> = z.input<Kinds[Kind]['data']>

export const isIntegrityEventKind = (kind: string): kind is IntegrityEventKind =>
  Object.hasOwn(integrityEventKinds, kind)

/** What somebody acts upon: a part that stops, a consent or a permission that is given or taken, beginning and end. It never waits for company. */
export const pressingKinds: readonly IntegrityEventKind[] = [
  'agent.started',
  'agent.stopping',
  'lane.health',
  'lane.withdrawn',
  'permission.changed',
]

const familyOf = (kind: string): string => kind.slice(0, kind.indexOf('.') + 1)
const familyFacts = new Map<string, boolean>()
for (const [kind, facts] of Object.entries(integrityEventKinds))
  familyFacts.set(familyOf(kind), facts.aboutRecording && (familyFacts.get(familyOf(kind)) ?? true))

/**
 * Whether events of this kind are about the recording itself: they are taken whatever was agreed. A kind of a newer agent
 * is one where all known kinds with its first word are.
 */
export const isAboutRecording = (kind: string): boolean =>
  isIntegrityEventKind(kind) ? integrityEventKinds[kind].aboutRecording : (familyFacts.get(familyOf(kind)) ?? false)

/** What an event tells of: the candidate's computer, or the recording itself, which is bookkeeping. */
export const eventCategories = ['observation', 'bookkeeping'] as const
export type EventCategory = (typeof eventCategories)[number]
export const categoryOf = (kind: string): EventCategory => (isAboutRecording(kind) ? 'bookkeeping' : 'observation')

type ReadKind = { [K in IntegrityEventKind]: Kinds[K]['read'] extends true ? K : never }[IntegrityEventKind]

/** The shapes of the kinds whose data the service reads. */
export const readKinds = Object.fromEntries(
  Object.entries(integrityEventKinds).flatMap(([kind, { read, data }]) => (read ? [[kind, data]] : [])),
) as { readonly [K in ReadKind]: Kinds[K]['data'] }
