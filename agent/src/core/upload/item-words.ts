import { packLimits } from '@integrity/protocol'
import { type ItemHeader, sentDurationMs, stillKinds } from '../spool/types.ts'

/** Header values are Latin-1 at most, and the metadata of small items travels in one. */
const plain = (text: string | undefined): string | undefined => text?.replace(/[^\x20-\x7e]/g, '?')

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined

export const codecOf = ({ meta }: ItemHeader): string | undefined => plain(text(meta.codec))

/** Stills have no duration; whatever else lacks one goes through the chunked upload, where it may be absent. */
export const hasLength = ({ kind, durationMs }: ItemHeader): boolean =>
  stillKinds.includes(kind) || durationMs !== undefined

/** What is said alike however the bytes go. */
const sameOf = ({ clientId, sha256, signed }: ItemHeader) => ({
  clientId,
  sha256,
  ...(signed ? { captureSignature: signed.signature } : {}),
})

/** What the endpoint of one such item takes beside its bytes. */
export const metaOf = (header: ItemHeader): Record<string, unknown> => {
  const at = new Date(header.capturedAt).toISOString()
  const base = { ...sameOf(header), contentType: header.contentType }
  const size = { width: whole(header.meta.width), height: whole(header.meta.height) }
  const durationMs = sentDurationMs(header)
  const codec = codecOf(header)
  switch (header.kind) {
    case 'audio_chunk':
    case 'system_audio_chunk':
      return { ...base, sequence: header.sequence, startedAt: at, durationMs, codec: codec ?? 'opus' }
    case 'camera_clip':
    case 'screen_clip':
      return { ...base, capturedAt: at, durationMs, codec, ...size }
    case 'screenshot':
    case 'camera_frame':
      return {
        ...base,
        capturedAt: at,
        displayId: plain(header.displayId)?.slice(0, 100),
        ...size,
        trigger: plain(text(header.meta.trigger))?.slice(0, 50),
      }
  }
}

/** What nobody asks for by name: as JSON, so that nothing is in it that is not. */
const freeMeta = ({ meta, sequence, displayId }: ItemHeader) =>
  JSON.parse(JSON.stringify({ ...meta, sequence, displayId }))

const definedDuration = (durationMs: number | undefined) => (durationMs === undefined ? {} : { durationMs })

/** What begins a chunked upload. */
export const beginBody = (header: ItemHeader) => ({
  ...sameOf(header),
  sizeBytes: header.sizeBytes,
  contentType: header.contentType,
  capturedAt: new Date(header.capturedAt).toISOString(),
  ...definedDuration(sentDurationMs(header)),
  metadata: freeMeta(header),
})

const within = (base64: string | undefined, most: number): base64 is string =>
  base64 !== undefined && Buffer.byteLength(base64, 'base64') <= most

/** What the contract has no room for is left out: the service makes it where it is looked at. */
const besidesOf = ({ small, levels }: ItemHeader) => ({
  ...(within(small, packLimits.smallBytes) && { small }),
  ...(within(levels, packLimits.levels) && { levels }),
})

/** What a pack says of an item before its bytes. A recording of a display keeps what its chunked upload would say. */
export const packHead = (header: ItemHeader): object => ({
  ...metaOf(header),
  ...(header.kind === 'screen_clip' && {
    displayId: plain(header.displayId)?.slice(0, 100),
    metadata: freeMeta(header),
  }),
  ...besidesOf(header),
  evidenceType: header.kind,
})
