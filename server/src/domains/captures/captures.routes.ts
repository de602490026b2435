import type { clipMeta, EndpointMap, EvidenceType, soundMeta, stillMeta } from '@integrity/protocol'
import type * as z from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { evidenceView, listEvidence } from '../evidence/evidence.service.ts'
import { beginUpload, discardBegin, type PreparedBegin, prepareBegin } from '../uploads/uploads.begin.service.ts'
import { discardCapture, type PreparedCapture, prepareCapture, writeCapture } from './captures.service.ts'

interface Sent<Body> {
  readonly app: AppContext
  readonly scope: Scope
  readonly actor: Actor
  readonly input: { readonly params: { readonly id: string }; readonly body: Body; readonly bytes: Buffer }
}

const still = (evidenceType: EvidenceType) => (call: Sent<z.output<typeof stillMeta>>) => {
  const { capturedAt, displayId, trigger, ...rest } = call.input.body
  const item = { evidenceType, durationMs: null, capturedAt: Date.parse(capturedAt), metadata: { displayId, trigger } }
  return send(call, { ...rest, ...item })
}
const sound = (evidenceType: EvidenceType) => (call: Sent<z.output<typeof soundMeta>>) => {
  const { startedAt, sequence, codec, ...rest } = call.input.body
  // A player needs the length where it looks for the codec.
  const metadata = { sequence, codec, durationMs: rest.durationMs }
  return send(call, { ...rest, evidenceType, capturedAt: Date.parse(startedAt), metadata })
}
const clip = (evidenceType: EvidenceType) => (call: Sent<z.output<typeof clipMeta>>) => {
  const { capturedAt, codec, ...rest } = call.input.body
  return send(call, { ...rest, evidenceType, capturedAt: Date.parse(capturedAt), metadata: { codec } })
}

type Item = Omit<Parameters<typeof prepareCapture>[3], 'sessionId' | 'bytes'>
const send = ({ app, scope, actor, input }: Sent<unknown>, item: Item) =>
  prepareCapture(app, scope, actor, { ...item, sessionId: input.params.id, bytes: input.bytes })

/** 201 for a new item, 200 for one that was here already. */
const write = async (
  { app, tx, scope, actor }: { app: AppContext; tx: Tx; scope: Scope; actor: Actor },
  capture: PreparedCapture,
) => {
  const { row, created } = await writeCapture(app, tx, scope, actor, capture)
  return new Reply(evidenceView(row), { status: created ? 201 : 200 })
}
const discard = ({ app }: { app: AppContext }, capture: PreparedCapture) => discardCapture(app, capture)

interface Listed {
  readonly app: AppContext
  readonly scope: Scope
  readonly input: { readonly params: { readonly id: string }; readonly query: { limit: number; offset: number } }
}
const list = (evidenceType: EvidenceType, order: 'stored' | 'playback' = 'stored') => ({
  read: ({ app, scope, input }: Listed) =>
    listEvidence(app.db.reader, scope, input.params.id, { ...input.query, evidenceType, order }),
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
    prepare: ({ app, scope, actor, input }) => prepareBegin(app, scope, actor, input.params.id, input.body),
    write: ({ app, tx, scope, actor }, begin) => beginUpload(app, tx, scope, actor, begin),
    discard: ({ app, scope }, begin) => discardBegin(app, scope, begin),
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
