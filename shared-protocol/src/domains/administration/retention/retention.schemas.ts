import * as z from 'zod'
import { environment, id, instant, oneLine, paging } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'

/** The longest window that anybody may set, days. */
export const maxRetentionDays = 3650
/** The window of an organisation that has set none: what a session gets that names no days of its own. */
export const usualRetentionDays = 90
/** Objects that one call of a sweep erases at most. */
export const maxSweptObjects = 2000

const days = z.number().int().min(1).max(maxRetentionDays)
const count = z.number().int().min(0)
const bytes = count.meta({ description: 'bytes' })

export const legalHold = z
  .object({
    reason: z.string(),
    since: instant.meta({ description: 'when it was placed; another reason given later changes nothing of it' }),
    by: z
      .object({ kind: z.string(), id: z.string(), label: z.string().nullable() })
      .meta({ description: 'who placed it or gave the reason; `label` is their address then' }),
  })
  .nullable()
  .meta({ description: 'null: no hold' })

export const retention = z
  .object({
    defaultDays: days.meta({ description: 'as it was set, also where the ceiling is lower' }),
    setAt: instant.nullable().meta({
      description: 'null: not set; then it applies to sessions that name no days, and shortens no others',
    }),
    windowVersion: shownVersion('`defaultDays`'),
    inForceDays: days.meta({ description: 'the shorter of `defaultDays` and `ceilingDays`' }),
    ceilingDays: days.nullable().meta({ description: "the plan's; null: it has none" }),
    capped: z.boolean().meta({ description: 'whether the ceiling is below `defaultDays`' }),
    legalHold: legalHold.meta({ description: 'of the whole organisation; null: no hold' }),
    version: count.meta({
      description: 'of the legal hold: one more with each placing, other reason and releasing; 0: there was none yet',
    }),
  })
  .meta({ id: 'Retention' })

export const retentionPut = z.object({
  defaultDays: days,
  expectedVersion: expectedVersion.meta({
    description:
      'the `windowVersion` that the writer has seen; where somebody else has set the window since, it is refused as a conflict whose `reason` is `changed`',
  }),
})

export const holdPut = z
  .object({
    on: z.boolean(),
    reason: oneLine(1000).optional().meta({ description: 'why; a hold needs one' }),
    expectedVersion,
  })
  .refine(({ on, reason }) => !on || reason !== undefined, {
    path: ['reason'],
    message: 'a hold needs its reason',
  })

export const sessionHold = z.object({
  sessionId: id('ses'),
  legalHold,
  version: count.meta({ description: 'one more with each placing, other reason and releasing; 0: there was none yet' }),
})

export const previewQuery = z.object({
  ...paging,
  days: z.coerce.number().int().min(0).max(maxRetentionDays).default(0).meta({
    description: 'due within so many days; 0: what a sweep would delete now',
  }),
})

export const dueSession = z
  .object({
    sessionId: id('ses'),
    environment,
    externalId: z.string().nullable(),
    endedAt: instant,
    dueAt: instant.meta({ description: 'the end of its window in force' }),
    objects: count.meta({ description: 'evidence objects that are kept' }),
    sizeBytes: bytes,
    held: z.boolean().meta({ description: 'under legal hold, its own or that of the organisation: a sweep leaves it' }),
  })
  .meta({ id: 'DueSession' })

const amount = z.object({ sessions: count, objects: count, sizeBytes: bytes })
export const dueTotals = amount
  .extend({ held: amount.meta({ description: 'what is listed too, and stays' }) })
  .meta({ description: 'what a sweep would delete' })

export const sweepBody = z.object({
  maxObjects: z.number().int().min(1).max(maxSweptObjects).default(500).meta({
    description: 'evidence objects that this call erases at most',
  }),
})

const outcome = {
  erasedSessions: count,
  erasedObjects: count,
  erasedBytes: bytes,
  heldSessions: count.meta({ description: 'due sessions that are under legal hold and stay' }),
  remaining: count.meta({ description: 'objects that are due and still there, those under legal hold aside' }),
  note: z.string().nullable().meta({ description: 'why something that is due stays, in words' }),
}
export const sweepRun = z
  .object({
    sweepId: id('swp'),
    state: z.enum(['completed', 'more']).meta({ description: '`more`: call again to continue the same sweep' }),
    ...outcome,
  })
  .meta({ id: 'RetentionSweepRun', description: 'what this call did' })

export const sweep = z
  .object({
    sweepId: id('swp').nullable(),
    state: z.enum(['none', 'completed', 'more']).meta({ description: '`none`: there was no sweep yet' }),
    startedAt: instant.nullable(),
    updatedAt: instant.nullable().meta({ description: 'its latest call' }),
    completedAt: instant.nullable(),
    calls: count,
    ...outcome,
  })
  .meta({ id: 'RetentionSweep', description: 'what all calls of the sweep did together' })
