import { type CallerOptions, createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { IntegrityError } from '@integrity/client/errors'
import { base64Of, frameOf, packBody } from '@integrity/client/pack-frames'
import type { PackOutcomes } from '@integrity/client/send-packed'
import type { BodyInputOf, CredentialEnding, EndpointMap } from '@integrity/protocol'
import { endpointTable } from '../generated/room-endpoints.ts'
import type { ConsentDocument, LinkEnd, RoomFacts, Still } from './room.types.ts'

type Used = Pick<EveryEndpoint, keyof typeof endpointTable>

export type ConsentAnswer = BodyInputOf<EndpointMap['rooms.consent']>

export interface RoomApi {
  read(): Promise<RoomFacts>
  answer(answer: ConsentAnswer): Promise<RoomFacts>
  send(still: Still): Promise<void>
  /** Many at once; answers what became of each, in their order. Older services have no such endpoint (404, 405). */
  sendPack(stills: readonly Still[]): Promise<PackOutcomes>
  release(): Promise<void>
}

export interface RoomApiOptions extends Pick<CallerOptions, 'fetch' | 'onDate'> {
  /** Where the service lives. */
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
export const linkEndOf = ({ extra: { reason } }: IntegrityError): LinkEnd =>
  endings[reason as CredentialEnding] ?? 'wrong'

/** The consent document in force, when another one was answered. */
export const consentDocumentOf = ({ extra }: IntegrityError): ConsentDocument | undefined =>
  extra['consentDocument'] as ConsentDocument | undefined

/** For an answer, milliseconds. */
const timeoutMs = 20_000

// The token belongs to another session than the one the link names.
const forRoom = (error: unknown): unknown =>
  error instanceof IntegrityError && error.kind === 'not_found'
    ? new IntegrityError({ code: 'unauthorized', status: 401, message: error.message, cause: error })
    : error

const packedStill = ({ bytes, small, sessionId: _sessionId, ...about }: Still) =>
  frameOf(
    {
      ...about,
      trigger: 'interval',
      evidenceType: 'camera_frame',
      ...(small && { small: base64Of(new Uint8Array(small)) }),
    },
    new Uint8Array(bytes),
  )

/** The requests of the room. One request, one answer: trying again is the caller's decision. */
export const createRoomApi = ({ sessionId, language, ...options }: RoomApiOptions): RoomApi => {
  const caller = createCaller<Used>({ ...options, table: endpointTable, timeoutMs })
  const data = async <T>(reply: Promise<{ readonly data: T }>): Promise<T> => {
    try {
      return (await reply).data
    } catch (error) {
      throw forRoom(error)
    }
  }
  const params = { sessionId }
  return {
    read: () => data(caller.call('rooms.get', { params, query: language ? { locale: language() } : {} })),
    answer: (body) => data(caller.call('rooms.consent', { params, body })),
    release: async () => {
      await data(caller.call('rooms.release', { params, body: {} }))
    },
    sendPack: async (stills) => {
      const raw = packBody(stills.map(packedStill))
      return (await caller.call('agent.packs.upload', { params: { id: sessionId }, raw })).data.items
    },
    send: async ({ bytes, small: _small, sessionId: id, ...about }) => {
      const raw = { bytes, contentType: about.contentType, meta: { ...about, trigger: 'interval' } }
      await data(caller.call('agent.cameraFrames.upload', { params: { id }, raw }))
    },
  }
}
