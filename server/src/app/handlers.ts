import { capturesRoutes } from '../domains/captures/captures.routes.ts'
import { eventsRoutes } from '../domains/events/events.routes.ts'
import { evidenceRoutes } from '../domains/evidence/evidence.routes.ts'
import { healthRoutes } from '../domains/health/health.routes.ts'
import { integrityEventsRoutes } from '../domains/integrity-events/integrity-events.routes.ts'
import { orgsRoutes } from '../domains/orgs/orgs.routes.ts'
import { reportsRoutes } from '../domains/reports/reports.routes.ts'
import { sessionsRoutes } from '../domains/sessions/sessions.routes.ts'
import { transcriptsRoutes } from '../domains/transcripts/transcripts.routes.ts'
import { uploadsRoutes } from '../domains/uploads/uploads.routes.ts'
import { webhooksRoutes } from '../domains/webhooks/webhooks.routes.ts'
import type { HandlerMap } from './handler.ts'

/** One handler for each endpoint of the contract; a missing one does not compile. */
export const handlers: HandlerMap = {
  ...healthRoutes,
  ...orgsRoutes,
  ...sessionsRoutes,
  ...integrityEventsRoutes,
  ...transcriptsRoutes,
  ...capturesRoutes,
  ...evidenceRoutes,
  ...uploadsRoutes,
  ...reportsRoutes,
  ...webhooksRoutes,
  ...eventsRoutes,
}
