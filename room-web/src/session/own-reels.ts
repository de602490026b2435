import type { EnginePorts } from '@integrity/shared-ui/player/engine'
import { reelPortsOf } from '@integrity/shared-ui/session/reel-ports'
import type { OwnIndex, RequestsCall } from './requests-api.ts'

interface Asked {
  readonly call: RequestsCall
  readonly requestId: string
  readonly index: OwnIndex
  /** The service refuses what it gave before. */
  readonly onRefused: (error: unknown) => void
}

/** How the reels of an approved copy come to its player, by the candidate's own link. */
export const ownReelPorts = ({ call, requestId, index, onRefused }: Asked): EnginePorts =>
  reelPortsOf({
    sessionId: index.sessionId,
    startedAt: index.startedAt === null ? 0 : Date.parse(index.startedAt),
    list: ({ from, to }, cursor) =>
      call.ask('candidateRequests.signatures', { requestId, from, to, ...(cursor === undefined ? {} : { cursor }) }),
    keys: async () => index.keys,
    reel: ({ source, size, fromMs: from, toMs: to }, signal) =>
      call.stream('candidateRequests.reels', { requestId, source, size, from, to }, signal).catch((error: unknown) => {
        onRefused(error)
        throw error
      }),
    item: undefined,
  })
