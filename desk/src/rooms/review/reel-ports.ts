import { IntegrityError } from '@integrity/client/errors'
import type { EnginePorts } from '@integrity/shared-ui/player/engine'
import { reelPortsOf as portsOf } from '@integrity/shared-ui/session/reel-ports'
import type { DeskCaller } from '../../data/desk-api.ts'

interface Asked {
  readonly own: DeskCaller
  readonly id: string
  /** When the session started, epoch milliseconds. */
  readonly startedAt: number
  /** Whether the person may see which evidence exists, and so its signatures. */
  readonly mayList: boolean
  /** The service refuses what was read before: a sign-in has ended, a right was taken away, or the interview is gone. */
  readonly onRefused: (error: IntegrityError) => void
}

const patienceMs = 60_000
/** Of the list of evidence. */
const pageItems = 100

const refusals: readonly IntegrityError['kind'][] = ['unauthorized', 'forbidden', 'not_found']

/** How the reels of an interview come to the player of whoever is signed in. */
export const reelPortsOf = ({ own, id, startedAt, mayList, onRefused }: Asked): EnginePorts => {
  const params = { id }
  const refused = (error: unknown): never => {
    if (error instanceof IntegrityError && refusals.includes(error.kind)) onRefused(error)
    throw error
  }
  const list = async (span: { from: string; to: string }, cursor: string | undefined) => {
    const query = { ...span, limit: pageItems, ...(cursor === undefined ? {} : { cursor }) }
    return (await own.call('portal.evidence.list', { params, query })).data
  }
  return portsOf({
    sessionId: id,
    startedAt,
    list: mayList ? list : undefined,
    keys: async () => (await own.call('portal.captureChain.get', { params })).data.chains,
    reel: async ({ source, size, fromMs: from, toMs: to }, signal) => {
      const input = { params: { id, source }, query: { from, to, size }, signal, timeoutMs: patienceMs }
      return (await own.call('portal.reels.get', input).catch(refused)).data as Response
    },
    item: async (item, signal) => {
      const answer = await own.call('portal.evidence.content', { params: { id: item }, signal, timeoutMs: patienceMs })
      return answer.data as Response
    },
  })
}
