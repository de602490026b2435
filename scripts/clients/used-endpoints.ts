import type { EndpointId } from '../../shared-protocol/src/registry.ts'
import { account, deskEndpoints } from './desk-rooms.ts'

/** What each page and the phone call, by the file that tells them where it is. They load no other endpoint. */
export const usedEndpoints = {
  'room-web/src/generated/room-endpoints.ts': [
    'rooms.get',
    'rooms.consent',
    'rooms.release',
    'agent.cameraFrames.upload',
    'agent.packs.upload',
  ],
  'room-web/src/generated/invitation-endpoints.ts': [
    'invitations.inspect',
    'invitations.calendar',
    'invitations.ticket',
    'invitations.readiness',
    'invitations.decline',
    'invitations.contact',
    'candidateRequests.links.invitation',
    'candidateRequests.aids',
    'candidateRequests.declared',
  ],
  'room-web/src/generated/requests-endpoints.ts': [
    'candidateRequests.links.mail',
    'candidateRequests.view',
    'candidateRequests.submit',
    'candidateRequests.moments',
    'candidateRequests.archive',
    'candidateRequests.bundle',
    'candidateRequests.contents',
  ],
  'room-web/src/generated/access-endpoints.ts': [
    'accessRequests.availability',
    'accessRequests.create',
    'ownerInvites.inspect',
    'ownerInvites.accept',
    'ownerInvites.renew',
  ],
  'room-web/src/generated/password-endpoints.ts': ['auth.password.forgot', 'auth.password.reset'],
  'room-web/src/generated/invite-endpoints.ts': ['invites.inspect', 'invites.accept', 'auth.me', 'auth.refresh'],
  'room-web/src/generated/interviewer-endpoints.ts': ['interviewers.inspect'],
  'desk/src/generated/account-endpoints.ts': account,
  'desk/src/generated/desk-endpoints.ts': deskEndpoints,
  'companion/src/session/generated/endpoints.ts': [
    'pairings.claim',
    'pairings.consent',
    'pairings.presence',
    'pairings.unpair',
    'companion.get',
    'companion.placement',
    'companion.preview.push',
    'agent.uploads.begin',
    'agent.uploads.part',
    'agent.uploads.complete',
    'agent.packs.upload',
  ],
} as const satisfies Readonly<Record<string, readonly EndpointId[]>>
