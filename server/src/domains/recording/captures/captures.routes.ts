import type { clipMeta, EndpointMap, EvidenceType, soundMeta, stillMeta } from '@integrity/protocol'
import type * as z from 'zod'
import { askedPeriod, type PeriodQuery } from '../../../kernel/asked-period.ts'
import type { By, Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import type { PageQuery } from '../../../kernel/paging.ts'
import { listEvidence } from '../evidence/evidence.service.ts'
import type { Item } from '../evidence/evidence.types.ts'
import { evidenceView } from '../evidence/evidence.view.ts'
import type { PreparedItem } from '../evidence/intake/intake.item.model.ts'
import { discardItem, prepareItem } from '../evidence/intake/intake.prepare.service.ts'
import { recordPrepared } from '../evidence/intake/intake.record.service.ts'
import { beginUpload, discardBegin, type PreparedBegin, prepareBegin } from '../uploads/uploads.begin.service.ts'

type Sender = Reads & By<Actor> & Needs<'clock' | 'log' | 'newId' | 'pictures' | 'sessionKeys' | 'store'>
interface Sent<Body> {
  readonly params: { readonly id: string }
  readonly body: Body
  readonly bytes: Buffer
}

const still = (evidenceType: EvidenceType) => (call: Sender, sent: Sent<z.output<typeof stillMeta>>) => {
  const { capturedAt, displayId, trigger, width, height, ...said } = sent.body
  const metadata = { displayId, trigger, width, height }
  return prepare(call, sent, { ...said, evidenceType, capturedAt: Date.parse(capturedAt), durationMs: null, metadata })
}
const sound = (evidenceType: EvidenceType) => (call: Sender, sent: Sent<z.output<typeof soundMeta>>) => {
  const { startedAt, sequence, codec, ...said } = sent.body
  // A player needs the length where it looks for the codec.
  const metadata = { sequence, codec, durationMs: said.durationMs }
  return prepare(call, sent, { ...said, evidenceType, capturedAt: Date.parse(startedAt), metadata })
}
const clip = (evidenceType: EvidenceType) => (call: Sender, sent: Sent<z.output<typeof clipMeta>>) => {
  const { capturedAt, codec, width, height, ...said } = sent.body
  const metadata = { codec, width, height }
  return prepare(call, sent, { ...said, evidenceType, capturedAt: Date.parse(capturedAt), metadata })
}

const prepare = (call: Sender, { params, bytes }: Sent<unknown>, said: Omit<Item, 'sizeBytes'>) =>
  prepareItem(call, { sessionId: params.id, said: { ...said, sizeBytes: bytes.length }, bytes })

/** 201 for a new item, 200 for one that was here already. */
const write = async (call: WriteCall<Actor> & Needs<'keyring' | 'metrics'>, _: unknown, item: PreparedItem) => {
  const { row, created } = await recordPrepared(call, item)
  return new Reply(evidenceView(row), { status: created ? 201 : 200 })
}
const discard = (call: Needs<'store' | 'log'>, _: unknown, item: PreparedItem) => discardItem(call, item)

interface Listed {
  readonly params: { readonly id: string }
  readonly query: PageQuery & PeriodQuery
}
const list = (evidenceType: EvidenceType, order: 'stored' | 'playback' = 'stored') => ({
  read: (call: Reads, { params, query }: Listed) =>
    listEvidence(call, { sessionId: params.id, options: { evidenceType, order, period: askedPeriod(query) }, query }),
})

export const capturesRoutes = {
  'portal.screenshots.list': list('screenshot'),
  'agent.screenshots.upload': prepared<EndpointMap['agent.screenshots.upload'], PreparedItem>({
    prepare: still('screenshot'),
    write,
    discard,
  }),
  'portal.audioChunks.list': list('audio_chunk', 'playback'),
  'agent.audioChunks.upload': prepared<EndpointMap['agent.audioChunks.upload'], PreparedItem>({
    prepare: sound('audio_chunk'),
    write,
    discard,
  }),
  'sessions.systemAudio.list': list('system_audio_chunk', 'playback'),
  'portal.systemAudio.list': list('system_audio_chunk', 'playback'),
  'agent.systemAudio.begin': prepared<EndpointMap['agent.systemAudio.begin'], PreparedBegin>({
    prepare: (call, input) => prepareBegin(call, { sessionId: input.params.id, body: input.body }),
    write: (call, _, begin) => beginUpload(call, begin),
    discard: (call, _, begin) => discardBegin(call, begin),
  }),
  'agent.systemAudio.upload': prepared<EndpointMap['agent.systemAudio.upload'], PreparedItem>({
    prepare: sound('system_audio_chunk'),
    write,
    discard,
  }),
  'portal.cameraFrames.list': list('camera_frame'),
  'agent.cameraFrames.upload': prepared<EndpointMap['agent.cameraFrames.upload'], PreparedItem>({
    prepare: still('camera_frame'),
    write,
    discard,
  }),
  'portal.cameraClips.list': list('camera_clip'),
  'agent.cameraClips.upload': prepared<EndpointMap['agent.cameraClips.upload'], PreparedItem>({
    prepare: clip('camera_clip'),
    write,
    discard,
  }),
} satisfies Partial<HandlerMap>
