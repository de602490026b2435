import { type CallerOptions, createCaller, createExchange } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { frameOf, packBody } from '@integrity/client/pack-frames'
import type { PackOutcomes } from '@integrity/client/send-packed'
import { bytesSource } from '@integrity/client/source'
import { uploadInParts } from '@integrity/client/upload-in-parts'
import { uploadSteps } from '@integrity/client/upload-steps'
import { endpointTable } from './generated/endpoints.ts'
import type { QueuedClip, QueuedPlacement } from './queue.port.ts'
import type {
  Beat,
  Claimed,
  ConsentAnswer,
  ConsentDocument,
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
  status(who: Identity, locale?: string): Promise<Status & { readonly consentDocument?: ConsentDocument | undefined }>
  placement(who: Identity, item: QueuedPlacement): Promise<void>
  preview(who: Identity, capturedAt: number, picture: Picture): Promise<void>
  /** Several in one request; answers what became of each, in their order. Older services have no such endpoint (404, 405). */
  pack(who: Identity, items: readonly QueuedClip[]): Promise<PackOutcomes>
  /** Goes on with parts that are there already. */
  clip(who: Identity, item: QueuedClip): Promise<void>
  unpair(who: Identity): Promise<void>
}

export interface ApiOptions extends Pick<CallerOptions, 'baseUrl' | 'fetch' | 'onDate'> {
  readonly sha256: (bytes: ArrayBuffer) => Promise<string>
  readonly base64: (bytes: ArrayBuffer) => string
}

type Used = Pick<EveryEndpoint, keyof typeof endpointTable>

const partSize = 1024 * 1024
/** For an answer, milliseconds. */
const timeoutMs = 20_000

const saidOf = ({ clientId, at, contentType, durationMs }: QueuedClip) => ({
  clientId,
  evidenceType: 'side_view_clip' as const,
  capturedAt: new Date(at).toISOString(),
  contentType,
  durationMs,
})

/** A clip on its way: one part at a time, as each is held in memory twice. */
const sendClip = async (options: CallerOptions & ApiOptions, sessionId: string, item: QueuedClip): Promise<void> => {
  const { sha256 } = options
  const { bytes } = item
  const body = { ...saidOf(item), sizeBytes: bytes.byteLength, sha256: await sha256(bytes), partSize }
  await uploadInParts({
    steps: uploadSteps({ call: createExchange(options), sessionId, body }),
    source: bytesSource(new Uint8Array(bytes)),
    sha256: (part) => sha256(part.buffer),
    parallel: 1,
  })
}

/** The requests of the phone. One request, one answer: trying again is the caller's decision. */
export const createCompanionApi = (options: ApiOptions): CompanionApi => {
  const optionsOf = ({ token }: Partial<Identity>) => ({ ...options, table: endpointTable, timeoutMs, token })
  const callerOf = (who: Partial<Identity>) => createCaller<Used>(optionsOf(who))
  return {
    claim: async (joinCode, key, device, locale) => {
      const body = { device, ...(locale === undefined ? {} : { locale }) }
      const input = { params: { joinCode }, body, idempotencyKey: key }
      return (await callerOf({}).call('pairings.claim', input)).data
    },
    consent: async ({ sessionId, ...who }, body) =>
      (await callerOf(who).call('pairings.consent', { params: { sessionId }, body })).data,
    presence: async ({ sessionId, ...who }, beats) =>
      (await callerOf(who).call('pairings.presence', { params: { sessionId }, body: { beats: [...beats] } })).data,
    status: async ({ sessionId: id, ...who }, locale) =>
      (await callerOf(who).call('companion.get', { params: { id }, query: locale === undefined ? {} : { locale } }))
        .data,
    placement: async ({ sessionId: id, ...who }, { clientId, at, steps, photo }) => {
      const { contentType, bytes } = photo
      const sha256 = await options.sha256(bytes)
      const capturedAt = new Date(at).toISOString()
      const body = {
        steps: [...steps],
        photo: { clientId, capturedAt, contentType, sha256, data: options.base64(bytes) },
      }
      await callerOf(who).call('companion.placement', { params: { id }, body })
    },
    preview: async ({ sessionId: id, ...who }, at, { contentType, bytes }) => {
      const body = { capturedAt: new Date(at).toISOString(), contentType, data: options.base64(bytes) }
      await callerOf(who).call('companion.preview.push', { params: { id }, body })
    },
    pack: async ({ sessionId: id, ...who }, items) => {
      const frames = []
      for (const item of items) {
        const { bytes, small } = item
        const head = { ...saidOf(item), sha256: await options.sha256(bytes), ...(small !== undefined && { small }) }
        frames.push(frameOf(head, new Uint8Array(bytes)))
      }
      return (await callerOf(who).call('agent.packs.upload', { params: { id }, raw: packBody(frames) })).data.items
    },
    clip: (who, item) => sendClip(optionsOf(who), who.sessionId, item),
    unpair: async ({ sessionId, ...who }) => {
      await callerOf(who).call('pairings.unpair', { params: { sessionId }, body: {} })
    },
  }
}
