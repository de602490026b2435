import * as z from 'zod'
import { link } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { reelMediaType } from '../../review/reels/reels.schemas.ts'
import {
  ownReelBody,
  ownReelIndex,
  ownSignatures,
  playingBody,
  signaturesBody,
} from './candidate-requests.playing.schemas.ts'

const byLink = { auth: [link('candidate_request')], method: 'POST', success: [200], effect: 'write' } as const

/** An approved copy, for the player of its candidate. */
export const candidateRequestsPlayingEndpoints = [
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.reelIndex',
    path: '/v1/candidate-requests/reel-index',
    effect: 'read',
    summary: 'What a player needs of an approved copy but the bytes: accounts, items, words, keys of machines.',
    body: playingBody,
    response: ownReelIndex,
    errors: ['not_found', 'conflict'],
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.reels',
    path: '/v1/candidate-requests/reels',
    summary: 'What one display, camera or microphone recorded in a stretch of time, out of an approved copy. Audited.',
    details:
      'The body is the frames of `portal.reels.get`. Reels have ceilings of their own, in bytes, for an interview and for all ' +
      'candidates of an organisation, which leave those of its members alone.',
    body: ownReelBody,
    response: z.any().meta({ description: 'frames, the last one with `nextMs`' }),
    errors: ['not_found', 'conflict'],
    kind: 'bytes',
    mediaTypes: [reelMediaType],
    ceiling: 'bytes',
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.signatures',
    path: '/v1/candidate-requests/signatures',
    effect: 'read',
    summary: 'Hash and signature of each item of an approved copy, by which what is played is checked.',
    body: signaturesBody,
    response: ownSignatures,
    errors: ['not_found', 'conflict'],
    additive: true,
  }),
] as const
