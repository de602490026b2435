import type { EndpointSpec } from './core/endpoint.ts'
import { capturesEndpoints } from './domains/captures/captures.endpoints.ts'
import { eventsEndpoints } from './domains/events/events.endpoints.ts'
import { evidenceEndpoints } from './domains/evidence/evidence.endpoints.ts'
import { healthEndpoints } from './domains/health/health.endpoints.ts'
import { integrityEventsEndpoints } from './domains/integrity-events/integrity-events.endpoints.ts'
import { orgsEndpoints } from './domains/orgs/orgs.endpoints.ts'
import { reportsEndpoints } from './domains/reports/reports.endpoints.ts'
import { sessionsEndpoints } from './domains/sessions/sessions.endpoints.ts'
import { transcriptsEndpoints } from './domains/transcripts/transcripts.endpoints.ts'
import { uploadsEndpoints } from './domains/uploads/uploads.endpoints.ts'
import { webhooksEndpoints } from './domains/webhooks/webhooks.endpoints.ts'

/** Every endpoint, one line for each domain. Everything else about them is derived from here. */
export const endpoints = Object.freeze([
  ...healthEndpoints,
  ...orgsEndpoints,
  ...sessionsEndpoints,
  ...integrityEventsEndpoints,
  ...transcriptsEndpoints,
  ...capturesEndpoints,
  ...evidenceEndpoints,
  ...uploadsEndpoints,
  ...reportsEndpoints,
  ...webhooksEndpoints,
  ...eventsEndpoints,
] as const)

type Declared = (typeof endpoints)[number]
export type EndpointId = Declared['id']
/** Endpoints by id, as types: `EndpointMap['sessions.get']`. */
export type EndpointMap = { readonly [E in Declared as E['id']]: E }

const byId = new Map<string, EndpointSpec>(endpoints.map((endpoint) => [endpoint.id, endpoint]))

export const endpoint = <Id extends EndpointId>(id: Id): EndpointMap[Id] => byId.get(id) as unknown as EndpointMap[Id]
