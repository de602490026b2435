import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { gapReason } from '../../interviews/lanes/lanes.registry.ts'

/** How it was with a lane in a stretch of time. */
export const accountStates = {
  observed: 'Samples were seen.',
  gap: 'Samples were expected and not seen.',
  paused: 'Paused on request.',
  declined: 'The candidate declined the lane, or withdrew the consent to it.',
  not_wanted: 'The policy had the lane switched off, or there was no such display or phone.',
  agreed_break: 'A break that was agreed.',
} as const
export type AccountState = keyof typeof accountStates

/** Who says so; the service where nobody else does. */
export const accountReporters = ['agent', 'phone', 'room', 'service'] as const
export type AccountReporter = (typeof accountReporters)[number]

/** Neighbours of one state and reason that are closer than this are one stretch, milliseconds. */
export const accountJoinMs = 1000
/** A silence shorter than this as a lane begins is `starting`, and as the session ends `stopping`, milliseconds. */
export const accountEdgeMs = 15_000
/** An agent sends a still of a display on which nothing changes again after so long, milliseconds. */
export const keyframeMs = 300_000

export const accountStretch = z
  .object({
    fromAt: instant,
    toAt: instant,
    state: z.enum(Object.keys(accountStates) as [AccountState, ...AccountState[]]),
    reason: gapReason.nullable(),
    reportedBy: z.enum(accountReporters),
    held: z.boolean().meta({ description: 'an object is stored that shows this time' }),
  })
  .meta({ id: 'AccountStretch' })

/** What the account of a lane or display says, in milliseconds. */
export const accounted = {
  expectedMs: z.number().int().meta({ description: '`observedMs` and the lengths of the gaps, exactly' }),
  observedMs: z.number().int().meta({ description: 'for which samples were seen, as the sender reported' }),
  heldMs: z.number().int().meta({
    description:
      'of `observedMs`, for which an object is stored; a still stands until the next one, while its display is observed and at most for the interval of key frames',
  }),
  account: z.array(accountStretch).meta({
    description:
      'from when the lane was agreed to until the end, in order of time: no two stretches overlap, none is empty and nothing is left out. Empty where nobody has agreed or declined',
  }),
}
