import type { BodyInputOf, CredentialEnding, EndpointMap } from '@integrity/protocol'
import { type CallOptions, createCall } from '@integrity/protocol/clients/api-call'
import { ApiProblem } from '@integrity/protocol/clients/api-problem'
import type { LinkEnd, RoomFacts, Still } from './room.types.ts'

export type UsedEndpoint = 'rooms.get' | 'rooms.consent' | 'rooms.release' | 'agent.cameraFrames.upload'

export type ConsentAnswer = BodyInputOf<EndpointMap['rooms.consent']>

export interface RoomApi {
  read(): Promise<RoomFacts>
  answer(answer: ConsentAnswer): Promise<RoomFacts>
  send(still: Still): Promise<void>
  release(): Promise<void>
}

export interface RoomApiOptions extends Omit<CallOptions<UsedEndpoint>, 'baseUrl'> {
  /** Where the service lives, without a slash at its end. */
  readonly baseUrl: string
  readonly sessionId: string
  readonly token: string
  /** What the page speaks now, BCP 47; the consent document comes in it. */
  readonly language?: () => string
}

const endings: Readonly<Partial<Record<CredentialEnding, LinkEnd>>> = {
  released: 'released',
  expired: 'expired',
  session_ended: 'ended',
}

/** Why the link that a request was made with opens nothing any more. */
export const linkEndOf = ({ refusal: { reason } }: ApiProblem): LinkEnd => (reason && endings[reason]) ?? 'wrong'

const forRoom = (error: unknown): unknown => {
  if (!(error instanceof ApiProblem)) return error
  const { kind, retryAfterMs } = error
  // The token belongs to another session than the one the link names.
  if (kind === 'not_found') return new ApiProblem('unauthorized')
  return kind === 'too_many' ? new ApiProblem('later', { retryAfterMs }) : error
}

/** The four requests of the room. One request, one answer: trying again is the caller's decision. */
export const createRoomApi = ({ baseUrl, sessionId, token, language, ...options }: RoomApiOptions): RoomApi => {
  const shared = createCall({ ...options, baseUrl: () => baseUrl })
  const call: typeof shared = (id, sending) =>
    shared(id, { token, ...sending }).catch((error: unknown) => {
      throw forRoom(error)
    })
  const params = { sessionId }
  const inLanguage = (): { query?: string } => (language ? { query: `?locale=${encodeURIComponent(language())}` } : {})
  return {
    read: async () => (await call('rooms.get', { params, ...inLanguage() })) as RoomFacts,
    answer: async (json) => (await call('rooms.consent', { params, json })) as RoomFacts,
    release: async () => {
      await call('rooms.release', { params, json: {} })
    },
    send: async ({ bytes, sessionId: id, ...meta }) => {
      const headers = {
        'content-type': meta.contentType,
        'x-service-evidence-meta': JSON.stringify({ ...meta, trigger: 'interval' }),
      }
      await call('agent.cameraFrames.upload', { params: { id }, bytes, headers })
    },
  }
}
