import type { EndpointSpec } from './core/endpoint.ts'
import { apiKeysEndpoints } from './domains/api-keys/api-keys.endpoints.ts'
import { authEndpoints } from './domains/auth/auth.endpoints.ts'
import { candidateRequestsEndpoints } from './domains/candidate-requests/candidate-requests.endpoints.ts'
import { capturesEndpoints } from './domains/captures/captures.endpoints.ts'
import { companionsEndpoints } from './domains/companions/companions.endpoints.ts'
import { compositionsEndpoints } from './domains/compositions/compositions.endpoints.ts'
import { deliveriesEndpoints } from './domains/deliveries/deliveries.endpoints.ts'
import { deliveriesPortalEndpoints } from './domains/deliveries/deliveries.portal.endpoints.ts'
import { eventsEndpoints } from './domains/events/events.endpoints.ts'
import { evidenceEndpoints } from './domains/evidence/evidence.endpoints.ts'
import { healthEndpoints } from './domains/health/health.endpoints.ts'
import { integrityEventsEndpoints } from './domains/integrity-events/integrity-events.endpoints.ts'
import { invitationsEndpoints } from './domains/invitations/invitations.endpoints.ts'
import { liveEndpoints } from './domains/live/live.endpoints.ts'
import { orgsEndpoints } from './domains/orgs/orgs.endpoints.ts'
import { reportsEndpoints } from './domains/reports/reports.endpoints.ts'
import { roomsEndpoints } from './domains/rooms/rooms.endpoints.ts'
import { sandboxEndpoints } from './domains/sandbox/sandbox.endpoints.ts'
import { schedulingEndpoints } from './domains/scheduling/scheduling.endpoints.ts'
import { sessionsEndpoints } from './domains/sessions/sessions.endpoints.ts'
import { transcriptsEndpoints } from './domains/transcripts/transcripts.endpoints.ts'
import { updatesEndpoints } from './domains/updates/updates.endpoints.ts'
import { uploadsEndpoints } from './domains/uploads/uploads.endpoints.ts'
import { webhooksEndpoints } from './domains/webhooks/webhooks.endpoints.ts'
import { webhooksPortalEndpoints } from './domains/webhooks/webhooks.portal.endpoints.ts'

/** Every endpoint, one line for each domain. Everything else about them is derived from here. */
export const endpoints = Object.freeze([
  ...healthEndpoints,
  ...authEndpoints,
  ...orgsEndpoints,
  ...apiKeysEndpoints,
  ...sessionsEndpoints,
  ...liveEndpoints,
  ...schedulingEndpoints,
  ...invitationsEndpoints,
  ...candidateRequestsEndpoints,
  ...integrityEventsEndpoints,
  ...transcriptsEndpoints,
  ...capturesEndpoints,
  ...evidenceEndpoints,
  ...uploadsEndpoints,
  ...companionsEndpoints,
  ...roomsEndpoints,
  ...compositionsEndpoints,
  ...reportsEndpoints,
  ...webhooksEndpoints,
  ...deliveriesEndpoints,
  ...webhooksPortalEndpoints,
  ...deliveriesPortalEndpoints,
  ...eventsEndpoints,
  ...sandboxEndpoints,
  ...updatesEndpoints,
] as const)

type Declared = (typeof endpoints)[number]
export type EndpointId = Declared['id']
/** Endpoints by id, as types: `EndpointMap['sessions.get']`. */
export type EndpointMap = { readonly [E in Declared as E['id']]: E }

const byId = new Map<string, EndpointSpec>(endpoints.map((endpoint) => [endpoint.id, endpoint]))

export const endpoint = <Id extends EndpointId>(id: Id): EndpointMap[Id] => byId.get(id) as unknown as EndpointMap[Id]
