import * as z from 'zod'
import { room } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody, id, instant } from '../../../core/primitives.ts'
import { cameraConfig } from '../../interviews/sessions/sessions.config.ts'
import {
  consentDocument,
  documentQuery,
  inviter,
  joinedSession,
  laneConsent,
  orgBrand,
} from '../../interviews/sessions/sessions.schemas.ts'
import { deviceConsentBody } from '../companions/companions.schemas.ts'

const roomSession = z
  .object({
    session: joinedSession,
    org: orgBrand,
    inviter,
    config: z.object({ camera: cameraConfig }),
    consentDocument,
    consent: laneConsent.nullable(),
    device: z.object({ id: id('rmd'), label: z.string().nullable() }),
  })
  .meta({ id: 'RoomSession' })

export const roomsEndpoints = [
  defineEndpoint({
    id: 'rooms.get',
    method: 'GET',
    path: '/v1/rooms/{sessionId}',
    summary: 'The facts that the browser in the room needs to begin: who asks, for what, and the state of consent.',
    auth: [room],
    sessionParam: 'sessionId',
    query: documentQuery,
    response: roomSession,
    success: [200],
    effect: 'read',
    additive: true,
  }),
  defineEndpoint({
    id: 'rooms.consent',
    method: 'POST',
    path: '/v1/rooms/{sessionId}/consent',
    summary: "Record the answer for the room's camera. No picture is accepted before it.",
    auth: [room],
    sessionParam: 'sessionId',
    body: deviceConsentBody,
    response: roomSession,
    success: [200],
    effect: 'write',
    emits: ['consent.declined'],
  }),
  defineEndpoint({
    id: 'rooms.release',
    method: 'POST',
    path: '/v1/rooms/{sessionId}/release',
    summary: 'Let the room device go. Its token ends with this answer; asking again gives the same one.',
    auth: [room],
    admitsSpent: true,
    sessionParam: 'sessionId',
    body: emptyBody,
    bodyOptional: true,
    response: z.object({ id: id('rmd'), releasedAt: instant }),
    success: [200],
    effect: 'write',
  }),
] as const
