import * as z from 'zod'
import { agent, apiKey, room, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { inOrder, periodOf } from '../../../core/period.ts'
import { clientId, instant, listOf, paging, sha256Hex } from '../../../core/primitives.ts'
import { captureSignature } from '../../interviews/capture-keys/capture-keys.schemas.ts'
import { evidenceTypes, maxSmallBytes } from '../../interviews/lanes/lanes.evidence.ts'
import { evidence } from '../evidence/evidence.schemas.ts'
import { systemAudioBegin, uploadBegun } from '../uploads/uploads.schemas.ts'

const pixels = z.number().int().min(1).max(32_768)
const base = {
  clientId,
  contentType: z.string().max(100),
  sha256: sha256Hex,
  captureSignature: captureSignature.optional(),
}
const data = { data: z.string().meta({ description: 'the bytes in base64', contentEncoding: 'base64' }) }
const durationMs = z.number().int().min(1).max(86_400_000)

export const stillMeta = z.object({
  ...base,
  capturedAt: instant,
  displayId: z.string().max(100).optional(),
  width: pixels.optional(),
  height: pixels.optional(),
  trigger: z.string().max(50).optional().meta({ description: 'interval, or what made the extra still' }),
})
export const soundMeta = z.object({
  ...base,
  sequence: z.number().int().min(0).meta({
    description: 'counts the chunks of the lane; they are listed in this order, also where a clock was put meanwhile',
  }),
  startedAt: instant,
  durationMs,
  codec: z.string().max(50),
})
export const clipMeta = z.object({
  ...base,
  capturedAt: instant,
  durationMs,
  codec: z.string().max(50).optional(),
  width: pixels.optional(),
  height: pixels.optional(),
})

const upload = <const T extends keyof typeof evidenceTypes, M extends z.ZodObject>(type: T, meta: M) =>
  ({
    meta,
    from: 'evidence',
    contentTypes: evidenceTypes[type].contentTypes,
    maxBytes: maxSmallBytes,
  }) as const

const lists = {
  query: inOrder(z.object({ ...paging, ...periodOf('captured') })),
  response: listOf(evidence),
  success: [200],
  effect: 'read',
} as const
const stores = {
  sessionParam: 'id',
  response: evidence,
  success: [201, 200],
  effect: 'write',
  emits: ['evidence.ready'],
} as const

export const capturesEndpoints = [
  defineEndpoint({
    ...lists,
    id: 'portal.screenshots.list',
    method: 'GET',
    path: '/v1/sessions/{id}/screenshots',
    summary: 'Screenshots of a session.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
  }),
  defineEndpoint({
    ...stores,
    id: 'agent.screenshots.upload',
    method: 'POST',
    path: '/v1/sessions/{id}/screenshots',
    summary: 'Upload one screenshot; a clientId that is already here answers 200 with the same object.',
    auth: [agent],
    body: stillMeta.extend(data),
    upload: upload('screenshot', stillMeta),
  }),
  defineEndpoint({
    ...lists,
    id: 'portal.audioChunks.list',
    method: 'GET',
    path: '/v1/sessions/{id}/audio-chunks',
    summary: 'Microphone chunks in playback order.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
  }),
  defineEndpoint({
    ...stores,
    id: 'agent.audioChunks.upload',
    method: 'POST',
    path: '/v1/sessions/{id}/audio-chunks',
    summary: 'Upload one microphone chunk.',
    auth: [agent],
    body: soundMeta.extend(data),
    upload: upload('audio_chunk', soundMeta),
  }),
  defineEndpoint({
    ...lists,
    id: 'sessions.systemAudio.list',
    method: 'GET',
    path: '/v1/api/sessions/{id}/system-audio-chunks',
    summary: 'System-audio chunks in playback order, with duration and codec in the metadata. A lane of its own.',
    auth: [apiKey('evidence:read')],
  }),
  defineEndpoint({
    ...lists,
    id: 'portal.systemAudio.list',
    method: 'GET',
    path: '/v1/sessions/{id}/system-audio-chunks',
    summary: 'System-audio chunks in playback order, for members.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
  }),
  defineEndpoint({
    id: 'agent.systemAudio.begin',
    method: 'POST',
    path: '/v1/sessions/{id}/system-audio-chunks',
    summary: 'Open the resumable upload of a system-audio chunk, or learn that it is already here.',
    auth: [agent],
    sessionParam: 'id',
    body: systemAudioBegin,
    response: uploadBegun,
    success: [201, 200],
    effect: 'write',
    emits: ['evidence.ready'],
  }),
  defineEndpoint({
    ...stores,
    id: 'agent.systemAudio.upload',
    additive: true,
    method: 'POST',
    path: '/v1/sessions/{id}/system-audio-chunks/whole',
    summary: 'Upload one small system-audio chunk in one request, instead of opening a resumable upload for it.',
    auth: [agent],
    body: soundMeta.extend(data),
    upload: upload('system_audio_chunk', soundMeta),
  }),
  defineEndpoint({
    ...lists,
    id: 'portal.cameraFrames.list',
    method: 'GET',
    path: '/v1/sessions/{id}/camera/frames',
    summary: 'Webcam photos of a session.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
  }),
  defineEndpoint({
    ...stores,
    id: 'agent.cameraFrames.upload',
    method: 'POST',
    path: '/v1/sessions/{id}/camera/frames',
    summary: 'Upload one webcam photo, from the agent or from the browser in the room.',
    auth: [agent, room],
    body: stillMeta.extend(data),
    upload: upload('camera_frame', stillMeta),
  }),
  defineEndpoint({
    ...lists,
    id: 'portal.cameraClips.list',
    method: 'GET',
    path: '/v1/sessions/{id}/camera/clips',
    summary: 'Webcam clips of a session.',
    auth: [user('evidence.list')],
    sessionParam: 'id',
  }),
  defineEndpoint({
    ...stores,
    id: 'agent.cameraClips.upload',
    method: 'POST',
    path: '/v1/sessions/{id}/camera/clips',
    summary: 'Upload one webcam clip.',
    auth: [agent],
    body: clipMeta.extend(data),
    upload: upload('camera_clip', clipMeta),
  }),
] as const
