import * as z from 'zod'
import { agent, companion, room } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { packAnswer, packLimits, packMediaType } from './packs.schemas.ts'

const frames = z.object({
  data: z.string().meta({ description: 'the frames in base64', contentEncoding: 'base64' }),
})

export const packsEndpoints = [
  defineEndpoint({
    id: 'agent.packs.upload',
    method: 'POST',
    path: '/v1/sessions/{id}/packs',
    summary:
      'Upload up to 64 items in one request. Each has its own answer, and one that is refused keeps no other out.',
    details:
      'The body is frames, at most 8 MiB in all: for each item a 4-byte big-endian length and the head (UTF-8 JSON), then a ' +
      '4-byte big-endian length and the bytes. A head holds what the endpoint of one such item takes beside its bytes, ' +
      '`evidenceType` and `contentType`, and may hold a small picture (`small`) and the levels of its sound (`levels`). ' +
      'Screenshots, webcam photos, sound, and clips of up to 8 MB can be sent so; each by the device whose lane it is of. ' +
      'The same pack again stores nothing twice and answers `known` for what is here. Frames that cannot be told apart are ' +
      'refused as a whole.',
    auth: [agent, companion, room],
    sessionParam: 'id',
    body: frames,
    upload: { meta: z.object({}), from: 'frames', contentTypes: [packMediaType], maxBytes: packLimits.bytes },
    response: packAnswer,
    success: [200],
    effect: 'write',
    emits: ['evidence.ready'],
    additive: true,
  }),
] as const
