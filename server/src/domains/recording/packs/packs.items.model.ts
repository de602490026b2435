import {
  type EvidenceType,
  evidenceTypes,
  type Frame,
  FrameError,
  invalid,
  packItem,
  packLimits,
  ServiceError,
  splitFrames,
} from '@integrity/protocol'
import * as z from 'zod'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import { readWebpChunks } from '../../../platform/content/webp-chunks.ts'
import { parseJson } from '../../../platform/read-json.ts'
import { inWords, misfitsOf } from '../../../platform/schema-words.ts'
import type { Item } from '../evidence/evidence.types.ts'
import type { SaidItem } from '../evidence/intake/pack.prepare.service.ts'

type Head = z.output<typeof packItem>
type Sender = Pick<AuditActor, 'kind'>

/** An item of a pack, or why it cannot be read as one. */
export interface PackEntry {
  /** Null where the head has none that can be read. */
  readonly clientId: string | null
  readonly item: SaidItem | ServiceError
}

/** Most values of one head: its free metadata are the most of it. */
const headValues = 1000

/** Each device delivers what is of its own lanes; of the webcam's pictures the room's camera sends some, too. */
const mayDeliver = ({ kind }: Sender, evidenceType: EvidenceType): boolean => {
  if (kind === 'room') return evidenceType === 'camera_frame'
  return (kind === 'companion') === (evidenceTypes[evidenceType].lane === 'side_view')
}

const shapeRefusal = ({ issues }: z.ZodError): ServiceError => {
  const details = misfitsOf(issues).map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  const [{ path, message } = { path: '', message: 'is not valid' }] = details
  return new ServiceError('invalid_request', path === '' ? message : `${path}: ${message}`, {
    details: details.slice(0, 100),
  })
}

const smallOf = (text: string | undefined): Buffer | undefined => {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > packLimits.smallBytes) throw invalid('small', `is larger than ${packLimits.smallBytes} bytes`)
  const size = readWebpChunks(bytes)
  if (!size?.whole || size.animated) throw invalid('small', 'is no WebP picture')
  if (Math.max(size.width, size.height) > packLimits.smallPixels)
    throw invalid('small', `is larger than ${packLimits.smallPixels} pixels a side`)
  return bytes
}

const levelsOf = (text: string | undefined): Buffer | undefined => {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > packLimits.levels) throw invalid('levels', `are more than ${packLimits.levels}`)
  return bytes
}

/** As the endpoint of one such item has it. */
const factsOf = (head: Head): Pick<Item, 'capturedAt' | 'durationMs' | 'metadata'> => {
  switch (head.evidenceType) {
    case 'screenshot':
    case 'camera_frame': {
      const { displayId, trigger, width, height } = head
      return {
        capturedAt: Date.parse(head.capturedAt),
        durationMs: null,
        metadata: { displayId, trigger, width, height },
      }
    }
    case 'audio_chunk':
    case 'system_audio_chunk': {
      const { startedAt, sequence, codec, durationMs } = head
      return { capturedAt: Date.parse(startedAt), durationMs, metadata: { sequence, codec, durationMs } }
    }
    default: {
      const { displayId, codec, width, height, durationMs } = head
      const metadata = { ...head.metadata, displayId, codec, width, height }
      return { capturedAt: Date.parse(head.capturedAt), durationMs, metadata }
    }
  }
}

const itemOf = (sender: Sender, value: unknown, body: Buffer): SaidItem => {
  const parsed = z.safeParse(packItem, value, inWords)
  if (!parsed.success) throw shapeRefusal(parsed.error)
  const head = parsed.data
  const { evidenceType, clientId, sha256, contentType, captureSignature } = head
  if (!mayDeliver(sender, evidenceType))
    throw new ServiceError('forbidden', `this credential may not deliver ${evidenceType}`)
  const small = smallOf('small' in head ? head.small : undefined)
  const levels = levelsOf('levels' in head ? head.levels : undefined)
  return {
    said: { evidenceType, clientId, sha256, contentType, captureSignature, sizeBytes: body.length, ...factsOf(head) },
    bytes: body,
    beside: { ...(small && { small }), ...(levels && { levels }) },
  }
}

const view = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

const clientIdOf = (value: unknown): string | null => {
  const { clientId } = (typeof value === 'object' && value !== null ? value : {}) as { clientId?: unknown }
  return typeof clientId === 'string' && clientId.length <= 64 ? clientId : null
}

const entryOf = (sender: Sender, { head, body }: Frame): PackEntry => {
  let clientId: string | null = null
  try {
    const value = parseJson(view(head), 'the head', headValues)
    clientId = clientIdOf(value)
    return { clientId, item: itemOf(sender, value, view(body)) }
  } catch (error) {
    if (error instanceof ServiceError) return { clientId, item: error }
    throw error
  }
}

/** The items of a pack, in their order. Throws `invalid_request` where its frames cannot be told apart, or there is none. */
export const readPack = (sender: Sender, bytes: Buffer): PackEntry[] => {
  try {
    const frames = splitFrames(bytes, { frames: packLimits.items, headBytes: packLimits.headBytes })
    if (frames.length === 0) throw invalid('data', 'holds no item')
    return frames.map((frame) => entryOf(sender, frame))
  } catch (error) {
    if (error instanceof FrameError) throw invalid('data', error.message)
    throw error
  }
}
