import type { GapReason, IntegrityEventKind, LaneName } from '@integrity/protocol'
import { buildSession, startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import { accountOf } from './account.model.ts'
import type { SourceAccount } from './account.types.ts'
import type { FactEvent, MomentFacts } from './moments.types.ts'

export const at = (seconds: number): number => startedAt + seconds * 1000
export const iso = (seconds: number): string => new Date(at(seconds)).toISOString()

export const aGap = (
  from: number,
  to: number,
  fields: { reason?: GapReason; displayId?: string } = {},
): MomentFacts['coverage'][number]['gaps'][number] => ({
  fromAt: iso(from),
  toAt: iso(to),
  seconds: to - from,
  reason: 'offline',
  displayId: null,
  ...fields,
})
export const aLane = (
  lane: LaneName,
  gaps: MomentFacts['coverage'][number]['gaps'],
  fields: Partial<MomentFacts['coverage'][number]> = {},
): MomentFacts['coverage'][number] => ({
  lane,
  gaps,
  enabled: true,
  declined: false,
  expected: 0,
  observed: 0,
  objects: 0,
  displays: [],
  expectedMs: 0,
  observedMs: 0,
  heldMs: 0,
  account: [],
  sentence: '',
  ...fields,
})

/** The account of a lane that was observed in these spans of seconds, and not between them. */
export const aSource = (lane: LaneName, ...observed: readonly (readonly [number, number])[]): SourceAccount =>
  accountOf({
    session: buildSession({ state: 'ended', endedAt: at(7200) }),
    windows: observed.map(([from, to]) => ({
      lane,
      displayId: '',
      fromAt: at(from),
      toAt: at(to),
      expectedSeconds: to - from,
      observedSeconds: to - from,
    })),
    gaps: [],
    objects: [],
  }).find((one) => one.lane === lane)!

let made = 0
/** An event as an observer sends it. */
export const told = (kind: IntegrityEventKind, seconds: number, value: object, more: object = {}): FactEvent => {
  made += 1
  const data = { observerVersion: 1, method: 'test', value, ...more }
  return { id: `obs_${String(made).padStart(6, '0')}`, kind, at: at(seconds), source: 'test', data }
}

export const aPhone = (...orientations: (string | null)[]): MomentFacts['phones'][number] => ({
  pairedAt: at(-60),
  endedAt: null,
  beats: orientations.map((orientation, n) => ({ at: at(n * 10), recording: 'on', reason: null, orientation })),
})

/** A session of ten minutes in which nothing was found. */
export const facts = (fields: Partial<MomentFacts> = {}): MomentFacts => ({
  session: { id: 'ses_1', startedAt, until: at(600) },
  coverage: [],
  sources: [],
  events: [],
  phones: [],
  ...fields,
})
