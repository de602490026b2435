import { ServiceError } from '@integrity/protocol'
import { answeredKeys } from '../../kernel/answered-bytes.ts'
import type { Limits } from '../../kernel/config.ts'
import type { FailureCeiling, Guess } from '../../kernel/failure-ceiling.ts'
import type { Actor } from '../../kernel/identity/actor.ts'
import { type Ceiling, rateLimited } from '../../kernel/rate-limited.ts'
import { createKeyedQueue } from '../../platform/keyed-queue.ts'
import type { RateCounter, RateState } from '../../platform/rate/rate-counter.ts'
import { wideNetworkOf } from './client-address.ts'

const windowSeconds = 60

const refuse = ({ limit, resetSeconds: waitSeconds, scope }: Ceiling, unit = 'requests'): never => {
  const message = `${limit} ${unit} in ${windowSeconds} s is the ceiling`
  throw rateLimited(message, { limit, waitSeconds, windowSeconds, scope })
}

type Soon<T> = T | Promise<T>

/** Goes on at once with what is there: each await of the counter in memory would be a turn of the microtask queue. */
const andThen = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)

const admitted = ({ limit, remaining, resetSeconds, allowed }: RateState, scope: Ceiling['scope']): Ceiling => {
  const ceiling = { limit, remaining, resetSeconds, scope }
  return allowed ? ceiling : refuse(ceiling)
}

/** Counts a call; refuses the one that is too many. */
const taken = (rate: RateCounter, key: string, limit: number, scope: Ceiling['scope'], cost = 1): Soon<Ceiling> =>
  andThen(rate.take(key, limit, cost), (state) => admitted(state, scope))

/** An IPv6 caller may move between the networks of its /48, so these have a ceiling together. */
const wideTimes = 16

/** Counts a call of an address, by its network and the wider one around it. */
const takenFrom = async (rate: RateCounter, what: string, limit: number, address: string): Promise<Ceiling> => {
  const ceiling = await taken(rate, `${what} ${address}`, limit, 'key')
  const wide = wideNetworkOf(address)
  if (wide !== undefined) await taken(rate, `${what} ${wide}`, limit * wideTimes, 'key')
  return ceiling
}

/** Counts a wrong guess at a thing, such as codes; refuses the one that is too many. */
export const takeFailure = async (rate: RateCounter, limits: Limits, what: string, address: string): Promise<void> => {
  await takenFrom(rate, `failures ${what}`, limits.failuresPerAddress, address)
}

/** Gives back what was taken of an address for a guess that was none. */
const giveBackFailure = async (rate: RateCounter, what: string, address: string): Promise<void> => {
  for (const network of [address, wideNetworkOf(address)])
    if (network !== undefined) await rate.add(`failures ${what} ${network}`, -1)
}

const isUnauthorized = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unauthorized'

export const createFailureCeiling = (rate: RateCounter, limits: Limits): FailureCeiling => {
  const turns = createKeyedQueue()
  const counted = async <T>({ what, address, isWrong }: Guess, look: () => Promise<T>): Promise<T> => {
    await takeFailure(rate, limits, what, address)
    let failed = false
    try {
      return await look()
    } catch (error) {
      failed = isWrong(error)
      throw error
    } finally {
      if (!failed) await giveBackFailure(rate, what, address)
    }
  }
  return {
    guess: (guess, look) => turns.run(`${guess.what} ${guess.address}`, () => counted(guess, look)),
    guessPassword: (address, look) => counted({ what: 'passwords', address, isWrong: isUnauthorized }, look),
  }
}

/** Counts a request that needs no credential: each endpoint for itself, so that asking for one thing does not bar another. */
export const takeAddress = (rate: RateCounter, limits: Limits, endpointId: string, address: string): Promise<Ceiling> =>
  takenFrom(rate, `address ${endpointId}`, limits.perAddress, address)

/** Counts a request that was refused before anybody stood behind it: a path that is none, a credential that is nobody's. */
export const takeStray = (rate: RateCounter, limits: Limits, address: string): Promise<Ceiling> =>
  takenFrom(rate, 'strays', limits.perAddress, address)

/** Counts a page, its parts, or a preflight. */
export const takePage = (rate: RateCounter, limits: Limits, address: string): Promise<Ceiling> =>
  takenFrom(rate, 'pages', limits.pagesPerAddress, address)

/** Counts a request against its credential and, for API keys, its organisation; answers the ceiling that is closest. */
export const takeCredential = async (rate: RateCounter, limits: Limits, actor: Actor): Promise<Ceiling> => {
  if (actor.kind !== 'api_key') return taken(rate, `credential ${actor.id}`, limits.perCredential, 'key')
  return andThen(taken(rate, `key ${actor.id}`, limits.perKey, 'key'), (key) =>
    andThen(taken(rate, `org ${actor.orgId}`, limits.perOrg, 'org'), (org) =>
      org.remaining < key.remaining ? org : key,
    ),
  )
}

const readingOf = (owner: string): string => `reading ${owner}`

/** Refuses an organisation whose reads have taken too long in this window. */
export const checkReading = (rate: RateCounter, limits: Limits, owner: string): Soon<void> =>
  andThen(rate.peek(readingOf(owner), limits.readMsPerOrg), (state) => {
    if (!state.allowed) refuse({ ...state, scope: 'org' }, 'ms of reading lists and reports')
  })

/** Counts the milliseconds that a read took. */
export const countReading = (rate: RateCounter, owner: string, ms: number): Soon<void> => rate.add(readingOf(owner), ms)

const bodiesOf = (payer: string): string => `bodies ${payer}`
const refusedOf = (org: string): string => `refused bodies ${org}`
const parsing = 'ms of processor time for parsing request bodies'

interface BodyPayers {
  readonly credential: string
  readonly org: string | undefined
}

/** Refuses whose bodies have taken too long to parse in this window, and an organisation whose refused ones have. */
export const checkBodies = async (
  rate: RateCounter,
  limits: Limits,
  { credential, org }: BodyPayers,
): Promise<void> => {
  const [own, all] = await Promise.all([
    rate.peek(bodiesOf(credential), limits.bodyMsPerCredential),
    org === undefined ? undefined : rate.peek(refusedOf(org), limits.refusedBodyMsPerOrg),
  ])
  if (!own.allowed) refuse({ ...own, scope: 'key' }, parsing)
  if (all && !all.allowed) refuse({ ...all, scope: 'org' }, `${parsing} that were refused`)
}

/**
 * Counts the milliseconds that a body took. What was refused counts against the organisation, too: its members and programs can
 * make any number of credentials, and in hundreds of sessions at once hardly a body is refused.
 */
export const countBody = async (
  rate: RateCounter,
  { credential, org }: BodyPayers,
  { ms, isRefused }: { readonly ms: number; readonly isRefused: boolean },
): Promise<void> => {
  await rate.add(bodiesOf(credential), ms)
  if (isRefused && org !== undefined) await rate.add(refusedOf(org), ms)
}

/** Uploads are counted in such pieces, begun ones whole. */
const uploadPieceBytes = 256 * 1024

/**
 * Counts the bytes of an upload against its credential, and no request: an agent that comes back after hours without a
 * network has thousands of small items to send.
 */
export const takeUpload = async (rate: RateCounter, limits: Limits, actor: Actor, bytes: number): Promise<Ceiling> => {
  const pieces = Math.max(1, Math.ceil(bytes / uploadPieceBytes))
  return taken(rate, `uploads ${actor.id}`, limits.uploadsPerCredential, 'key', pieces)
}

/**
 * Counts what a credential or a person looks through by its bytes, and no request; what goes beyond a first piece is counted
 * once it is known.
 */
export const takeAnswer = async (rate: RateCounter, limits: Limits, actor: Actor): Promise<Ceiling> =>
  taken(rate, answeredKeys(actor).own, limits.answersPerCredential, 'key')

/** The same for the organisation that it belongs to, which of a person is known later. */
export const takeAnswerOfOrg = async (rate: RateCounter, limits: Limits, actor: Actor): Promise<void> => {
  const { org } = answeredKeys(actor)
  if (org !== undefined) await taken(rate, org, limits.answersPerOrg, 'org')
}
