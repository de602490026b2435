import type { IncomingMessage } from 'node:http'
import type { EndpointSpec } from '@integrity/protocol'
import type { Limits } from '../../kernel/config.ts'
import { type Actor, isBound } from '../../kernel/identity/actor.ts'
import type { RateCounter } from '../../platform/rate/rate-counter.ts'
import { checkBodies, countBody } from '../callers/ceilings.ts'

/** Who pays for what a body costs: a credential, or the address of who has none, and the organisation that it is of. */
export interface BodySender {
  readonly actor: Actor
  readonly address: string
}

/** What a smaller body costs is nothing beside the request itself. */
const smallBytes = 16 * 1024

/** Raw bytes are paid for by their length; those of frames have heads, which are parsed. */
const costsNothing = ({ headers }: IncomingMessage, { upload }: EndpointSpec): boolean =>
  (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBytes) ||
  (upload !== undefined &&
    upload.from !== 'frames' &&
    !headers['content-type']?.toLowerCase().startsWith('application/json'))

const payersOf = ({ actor, address }: BodySender) => ({
  credential: actor.kind === 'anonymous' ? `address ${address}` : actor.id,
  org: isBound(actor) ? actor.orgId : undefined,
})

/** The processor time of this thread, in milliseconds: what a busy machine keeps from it is nobody's debt. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export interface BodyCost {
  /**
   * Parses and checks a body, and charges what that took; to the organisation, too, where it throws, or `isRefused` says so of
   * what it comes to.
   */
  readonly measured: <T>(work: () => T, isRefused?: (done: T) => boolean) => T
}

export const free: BodyCost = { measured: (work) => work() }

/**
 * What becomes of a body that is to be parsed. Refused here, before it is read, when the bodies of its sender have cost too much
 * in this window.
 */
export const costOf = async (
  { rate, config: { limits } }: { readonly rate: RateCounter; readonly config: { readonly limits: Limits } },
  request: IncomingMessage,
  { endpoint, ...sender }: BodySender & { readonly endpoint: EndpointSpec },
): Promise<BodyCost> => {
  if (costsNothing(request, endpoint)) return free
  const payers = payersOf(sender)
  await checkBodies(rate, limits, payers)
  return {
    measured: (work, isRefused = () => false) => {
      const before = cpuMs()
      let refused = true
      try {
        const done = work()
        refused = isRefused(done)
        return done
      } finally {
        void countBody(rate, payers, { ms: Math.max(1, Math.ceil(cpuMs() - before)), isRefused: refused })
      }
    },
  }
}
