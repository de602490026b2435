import { type CallOptions, createCall } from '@integrity/protocol/clients/api-call'
import { encodeBase64 } from './base64.ts'
import { endpoints, type UsedEndpoint } from './endpoints.ts'
import type { QueuedClip, QueuedPlacement } from './queue.port.ts'
import type {
  Beat,
  Claimed,
  ConsentAnswer,
  DeviceFacts,
  Pairing,
  Picture,
  PresenceAnswer,
  Status,
} from './session.types.ts'

/** Who the phone is, after its code was taken. */
export type Identity = Pick<Pairing, 'token'> & { readonly sessionId: string }

export interface CompanionApi {
  /**
   * `key` makes a claim whose answer was lost give the same answer again, if it asks for the same; `locale` (BCP 47) is
   * the language of the consent document.
   */
  claim(code: string, key: string, device: DeviceFacts, locale?: string): Promise<Claimed>
  consent(who: Identity, answer: ConsentAnswer): Promise<Status>
  presence(who: Identity, beats: readonly Beat[]): Promise<PresenceAnswer>
  status(who: Identity): Promise<Status>
  placement(who: Identity, item: QueuedPlacement): Promise<void>
  preview(who: Identity, capturedAt: number, picture: Picture): Promise<void>
  /** Goes on with parts that are there already. */
  clip(who: Identity, item: QueuedClip): Promise<void>
  unpair(who: Identity): Promise<void>
}

export interface ApiOptions extends Omit<CallOptions<UsedEndpoint>, 'endpoints'> {
  readonly sha256: (bytes: ArrayBuffer) => Promise<string>
}

const partSize = 1024 * 1024

/** The requests of the phone. One request, one answer: trying again is the caller's decision. */
export const createCompanionApi = (options: ApiOptions): CompanionApi => {
  const call = createCall({ ...options, endpoints })
  const sendParts = async ({ token }: Identity, uploadId: string, item: QueuedClip, here: readonly number[]) => {
    for (let index = 0; index * partSize < item.bytes.byteLength; index++) {
      if (here.includes(index)) continue
      const bytes = item.bytes.slice(index * partSize, (index + 1) * partSize)
      const headers = { 'x-service-part-sha256': await options.sha256(bytes) }
      await call('agent.uploads.part', { token, params: { uploadId }, query: `?index=${index}`, headers, bytes })
    }
  }
  return {
    claim: async (joinCode, key, device, locale) =>
      (await call('pairings.claim', {
        params: { joinCode },
        json: { device, locale },
        headers: { 'idempotency-key': key },
      })) as Claimed,
    consent: async ({ token, sessionId }, json) =>
      (await call('pairings.consent', { token, params: { sessionId }, json })) as Status,
    presence: async ({ token, sessionId }, beats) =>
      (await call('pairings.presence', { token, params: { sessionId }, json: { beats } })) as PresenceAnswer,
    status: async ({ token, sessionId }) =>
      (await call('companion.get', { token, params: { id: sessionId } })) as Status,
    placement: async ({ token, sessionId }, { clientId, at, steps, photo }) => {
      const { contentType, bytes } = photo
      const sha256 = await options.sha256(bytes)
      const capturedAt = new Date(at).toISOString()
      const json = { steps, photo: { clientId, capturedAt, contentType, sha256, data: encodeBase64(bytes) } }
      await call('companion.placement', { token, params: { id: sessionId }, json })
    },
    preview: async ({ token, sessionId }, at, { contentType, bytes }) => {
      const json = { capturedAt: new Date(at).toISOString(), contentType, data: encodeBase64(bytes) }
      await call('companion.preview.push', { token, params: { id: sessionId }, json })
    },
    clip: async (who, item) => {
      const { clientId, at, contentType, durationMs, bytes } = item
      const sha256 = await options.sha256(bytes)
      const what = { evidenceType: 'side_view_clip', capturedAt: new Date(at).toISOString(), contentType, durationMs }
      const json = { clientId, sizeBytes: bytes.byteLength, sha256, partSize, ...what }
      const begun = (await call('agent.uploads.begin', {
        token: who.token,
        params: { id: who.sessionId },
        json,
      })) as { uploadId: string; receivedParts: number[] } | { deduplicated: true }
      if ('deduplicated' in begun) return
      await sendParts(who, begun.uploadId, item, begun.receivedParts)
      await call('agent.uploads.complete', { token: who.token, params: { uploadId: begun.uploadId }, json: {} })
    },
    unpair: async ({ token, sessionId }) => {
      await call('pairings.unpair', { token, params: { sessionId }, json: {} })
    },
  }
}
