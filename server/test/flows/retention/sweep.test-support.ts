import fc from 'fast-check'
import type { Environment } from '../../../src/kernel/identity/scope.ts'

/** A session as a situation begins with it. */
export interface Planned {
  readonly environment: Environment
  readonly retentionDays: number
  readonly stills: number
  /** Sent after the end, as an agent does that was offline. */
  readonly lateStills: number
  readonly state: 'live' | 'ended' | 'erased' | 'scheduled'
  readonly held: boolean
}

/** Rules that are set; null leaves the window as it is, and takes the ceiling away. */
export interface PlannedRules {
  readonly defaultDays: number | null
  readonly ceilingDays: number | null
}

export interface Situation {
  readonly rulesBefore: PlannedRules
  readonly sessions: readonly Planned[]
  readonly rulesAfter: PlannedRules
  readonly days: number
  /** The session, of all there are, whose hold is turned round. */
  readonly turned: number
  readonly orgHeld: boolean
  readonly maxObjects: number
  /** How many sweep at the same time. */
  readonly callers: number
  /** Says at which of its steps a sweeping process is killed first; undefined: none is. */
  readonly killed: number | undefined
}

const days = fc.integer({ min: 1, max: 20 })
const rules: fc.Arbitrary<PlannedRules> = fc.record({
  defaultDays: fc.option(days, { freq: 1 }),
  ceilingDays: fc.option(days, { freq: 1 }),
})
const chance = (outOf: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: outOf }).map((n) => n === 1)

const planned: fc.Arbitrary<Planned> = fc.record({
  environment: fc.constantFrom('live', 'sandbox'),
  retentionDays: days,
  stills: fc.integer({ min: 0, max: 3 }),
  lateStills: fc.integer({ min: 0, max: 1 }),
  state: fc.constantFrom('ended', 'ended', 'ended', 'ended', 'ended', 'live', 'scheduled', 'erased'),
  held: chance(5),
})

const situation: fc.Arbitrary<Omit<Situation, 'killed'>> = fc.record({
  rulesBefore: rules,
  sessions: fc.array(planned, { minLength: 1, maxLength: 3 }),
  rulesAfter: rules,
  days: fc.integer({ min: 0, max: 12 }),
  turned: fc.nat({ max: 1000 }),
  orgHeld: chance(10),
  maxObjects: fc.constantFrom(1, 2, 3, 5, 500),
  callers: fc.constantFrom(1, 1, 2, 3),
})

/** The same situations each time; in one of twelve a process is killed, each time at another step. */
export const situations = (count: number): Situation[] =>
  fc
    .sample(situation, { numRuns: count, seed: 15 })
    .map((one, n) => ({ ...one, killed: n % 12 === 3 ? n * 7 : undefined }))

/** A session as the model knows it. */
export interface Known {
  readonly id: string
  readonly environment: Environment
  readonly toldDays: number
  readonly endedAt: number | null
  held: boolean
  erased: boolean
  objects: number
}

/** What is due, by the words of the rule: the shortest of what was told, the organisation's window, the ceiling. */
export const dueOf = (
  all: readonly Known[],
  { defaultDays, ceilingDays }: PlannedRules,
  now: number,
): { readonly session: Known; readonly dueAt: number }[] =>
  all
    .filter(({ erased, endedAt }) => !erased && endedAt !== null)
    .map((session) => {
      const window = Math.min(session.toldDays, defaultDays ?? 100_000, ceilingDays ?? 100_000)
      return { session, dueAt: (session.endedAt ?? 0) + window * 86_400_000 }
    })
    .filter(({ dueAt }) => dueAt <= now)
