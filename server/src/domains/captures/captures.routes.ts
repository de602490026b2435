import type { clipMeta, EndpointMap, EvidenceType, soundMeta, stillMeta } from '@integrity/protocol'
import type * as z from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import type { By, Needs, Reads, WriteCall } from '../../kernel/call.ts'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import { evidenceView, listEvidence } from '../evidence/evidence.service.ts'
import { beginUpload, discardBegin, type PreparedBegin, prepareBegin } from '../uploads/uploads.begin.service.ts'
import { type Capture, discardCapture, type PreparedCapture, prepareCapture, writeCapture } from './captures.service.ts'

type Sender = Reads & By<Actor> & Needs<'clock' | 'newId' | 'store'>
interface Sent<Body> {
  readonly params: { readonly id: string }
  readonly body: Body
  readonly bytes: Buffer
}

const still = (evidenceType: EvidenceType) => (call: Sender, sent: Sent<z.output<typeof stillMeta>>) => {
  const { capturedAt, displayId, trigger, ...rest } = sent.body
  const item = { evidenceType, durationMs: null, capturedAt: Date.parse(capturedAt), metadata: { displayId, trigger } }
  return send(call, sent, { ...rest, ...item })
}
const sound = (evidenceType: EvidenceType) => (call: Sender, sent: Sent<z.output<typeof soundMeta>>) => {
  const { startedAt, sequence, codec, ...rest } = sent.body
  // A player needs the length where it looks for the codec.
  const metadata = { sequence, codec, durationMs: rest.durationMs }
  return send(call, sent, { ...rest, evidenceType, capturedAt: Date.parse(startedAt), metadata })
}
const clip = (evidenceType: EvidenceType) => (call: Sender, sent: Sent<z.output<typeof clipMeta>>) => {
  const { capturedAt, codec, ...rest } = sent.body
  return send(call, sent, { ...rest, evidenceType, capturedAt: Date.parse(capturedAt), metadata: { codec } })
}

const send = (call: Sender, { params, bytes }: Sent<unknown>, item: Omit<Capture, 'sessionId' | 'bytes'>) =>
  prepareCapture(call, { ...item, sessionId: params.id, bytes })

/** 201 for a new item, 200 for one that was here already. */
const write = async (call: WriteCall<Actor> & Needs<'metrics'>, _: unknown, capture: PreparedCapture) => {
  const { row, created } = await writeCapture(call, capture)
  return new Reply(evidenceView(row), { status: created ? 201 : 200 })
}
const discard = (call: Needs<'store' | 'log'>, _: unknown, capture: PreparedCapture) => discardCapture(call, capture)

interface Listed {
  readonly params: { readonly id: string }
  readonly query: { readonly limit: number; readonly offset: number }
}
const list = (evidenceType: EvidenceType, order: 'stored' | 'playback' = 'stored') => ({
  read: (call: Reads, { params, query }: Listed) => listEvidence(call, params.id, { ...query, evidenceType, order }),
})

export const capturesRoutes = {
  'portal.screenshots.list': list('screenshot'),
  'agent.screenshots.upload': prepared<EndpointMap['agent.screenshots.upload'], PreparedCapture>({
    prepare: still('screenshot'),
    write,
    discard,
  }),
  'portal.audioChunks.list': list('audio_chunk', 'playback'),
  'agent.audioChunks.upload': prepared<EndpointMap['agent.audioChunks.upload'], PreparedCapture>({
    prepare: sound('audio_chunk'),
    write,
    discard,
  }),
  'sessions.systemAudio.list': list('system_audio_chunk', 'playback'),
  'portal.systemAudio.list': list('system_audio_chunk', 'playback'),
  'agent.systemAudio.begin': prepared<EndpointMap['agent.systemAudio.begin'], PreparedBegin>({
    prepare: (call, input) => prepareBegin(call, input.params.id, input.body),
    write: (call, _, begin) => beginUpload(call, begin),
    discard: (call, _, begin) => discardBegin(call, begin),
  }),
  'portal.cameraFrames.list': list('camera_frame'),
  'agent.cameraFrames.upload': prepared<EndpointMap['agent.cameraFrames.upload'], PreparedCapture>({
    prepare: still('camera_frame'),
    write,
    discard,
  }),
  'portal.cameraClips.list': list('camera_clip'),
  'agent.cameraClips.upload': prepared<EndpointMap['agent.cameraClips.upload'], PreparedCapture>({
    prepare: clip('camera_clip'),
    write,
    discard,
  }),
} satisfies Partial<HandlerMap>
