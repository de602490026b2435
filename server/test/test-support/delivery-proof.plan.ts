import { retryWaitsSeconds } from '@integrity/protocol'
import type { ProofType } from './delivery-proof.messages.ts'
import type { Move } from './scripted-receivers.ts'

/** Those who subscribed to everything get these beside all others: a flood for two receivers is a flood for the queue. */
export const bulkType: ProofType = 'companion.paired'
/** Everybody who is well gets these, of each ten events one. */
export const sharedType: ProofType = 'session.scheduled'
/** Enough for ten dead letters in a row, and two that are held behind them. */
export const failing = { type: 'session.started', count: 12 } as const
/** Few, because each attempt at a receiver that hangs lasts as long as its deadline. */
export const slow = { type: 'session.ended', count: 3 } as const

export interface Plan {
  readonly types: readonly (ProofType | '*')[]
  readonly move: (attempt: number, now: number) => Move
}

/** What the receivers of a part get. */
const part: Plan['types'] = [sharedType, failing.type, slow.type]
const accept: Move = { status: 200 }
const plan = (types: Plan['types'], move: Plan['move']): Plan => ({ types, move })
const of = (type: ProofType, move: Plan['move']): Plan => plan([type], move)
/** Misbehaves twice, then accepts. */
const twice = (move: Move) => (attempt: number) => (attempt <= 2 ? move : accept)

const untilDate = (at: number): string => new Date(at + 400_000).toUTCString()
/** Receivers that were mended since, by name. */
export type Healed = ReadonlySet<string>

/** The twenty endpoints: six that are well and fourteen that are not, each in its own way. */
export const plans = (healed: Healed): Readonly<Record<string, Plan>> => {
  const unlessHealed = (name: string, move: Move) => () => (healed.has(name) ? accept : move)
  return {
    'well-1': plan(['*'], () => ({ status: 200 })),
    'well-2': plan(['*'], () => ({ status: 204 })),
    'well-3': plan(part, () => ({ status: 201 })),
    'well-4': plan(part, () => ({ status: 202 })),
    'well-5': plan(part, () => ({ status: 299 })),
    'well-6': plan(part, () => ({ status: 200, headers: { connection: 'close' } })),
    'fails-twice': of(failing.type, twice({ status: 500 })),
    fails: of(failing.type, unlessHealed('fails', { status: 500 })),
    gone: of(failing.type, () => ({ status: 410 })),
    'busy-429': of(failing.type, twice({ status: 429, headers: { 'retry-after': '120' } })),
    'busy-503': of(failing.type, (attempt, now) =>
      attempt > 1 ? accept : { status: 503, headers: { 'retry-after': untilDate(now) } },
    ),
    redirects: of(failing.type, () => ({ status: 307, headers: { location: '/elsewhere' } })),
    hangs: of(slow.type, unlessHealed('hangs', 'hang')),
    'resets-before': of(failing.type, twice('reset before the body')),
    'resets-after': of(failing.type, twice('reset after the body')),
    'breaks-off': of(failing.type, twice('reset in the answer')),
    drips: of(slow.type, twice('drip')),
    floods: of(failing.type, () => 'flood'),
    'bad-tls': of(failing.type, () => accept),
    deleted: of(failing.type, () => ({ status: 500 })),
  }
}

/** How many events of each type make so many in all, and how many requests those that are well should get of them. */
export const countsOf = (events: number, paced: number) => {
  const shared = paced + Math.floor(events / 10)
  const bulk = events - shared - failing.count - slow.count
  return { shared, bulk, requests: 2 * events + 4 * (events - bulk) }
}

/** The wait that must pass between an attempt and the next one, in milliseconds: whatever the receiver asks for. */
export const waitAfter = (attempt: number): number => (retryWaitsSeconds[attempt - 1] ?? Number.NaN) * 1000
