// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsRoutes } from '../../domains/access-requests/access-requests.routes.ts'
import { apiKeysRoutes } from '../../domains/api-keys/api-keys.routes.ts'
import { atsRoutes } from '../../domains/ats/ats.routes.ts'
import { auditRoutes } from '../../domains/audit/audit.routes.ts'
import { authFactorsRoutes } from '../../domains/auth/auth.factors.routes.ts'
import { authRoutes } from '../../domains/auth/auth.routes.ts'
import { authSignInsRoutes } from '../../domains/auth/auth.sign-ins.routes.ts'
import { billingRoutes } from '../../domains/billing/billing.routes.ts'
import { brandingRoutes } from '../../domains/branding/branding.routes.ts'
import { bundlesRoutes } from '../../domains/bundles/bundles.routes.ts'
import { candidateRequestsRoutes } from '../../domains/candidate-requests/candidate-requests.routes.ts'
import { capturesRoutes } from '../../domains/captures/captures.routes.ts'
import { chatRoutes } from '../../domains/chat/chat.routes.ts'
import { companionsRoutes } from '../../domains/companions/companions.routes.ts'
import { complianceRoutes } from '../../domains/compliance/compliance.routes.ts'
import { compositionsRoutes } from '../../domains/compositions/compositions.routes.ts'
import { deliveriesPortalRoutes } from '../../domains/deliveries/deliveries.portal.routes.ts'
import { deliveriesRoutes } from '../../domains/deliveries/deliveries.routes.ts'
import { eventsRoutes } from '../../domains/events/events.routes.ts'
import { evidenceRoutes } from '../../domains/evidence/evidence.routes.ts'
import { healthRoutes } from '../../domains/health/health.routes.ts'
import { insightsRoutes } from '../../domains/insights/insights.routes.ts'
import { integrityEventsRoutes } from '../../domains/integrity-events/integrity-events.routes.ts'
import { invitationsRoutes } from '../../domains/invitations/invitations.routes.ts'
import { invitesRoutes } from '../../domains/invites/invites.routes.ts'
import { liveRoutes } from '../../domains/live/live.routes.ts'
import { membersRoutes } from '../../domains/members/members.routes.ts'
import { notesRoutes } from '../../domains/notes/notes.routes.ts'
import { orgsRoutes } from '../../domains/orgs/orgs.routes.ts'
import { packsRoutes } from '../../domains/packs/packs.routes.ts'
import { recipientsRoutes } from '../../domains/recipients/recipients.routes.ts'
import { reelsRoutes } from '../../domains/reels/reels.routes.ts'
import { reportsRoutes } from '../../domains/reports/reports.routes.ts'
import { reportsSigningRoutes } from '../../domains/reports/reports.signing.routes.ts'
import { reportsTimelineRoutes } from '../../domains/reports/reports.timeline.routes.ts'
import { retentionRoutes } from '../../domains/retention/retention.routes.ts'
import { reviewsRoutes } from '../../domains/reviews/reviews.routes.ts'
import { rolesRoutes } from '../../domains/roles/roles.routes.ts'
import { roomsRoutes } from '../../domains/rooms/rooms.routes.ts'
import { sandboxRoutes } from '../../domains/sandbox/sandbox.routes.ts'
import { schedulingRoutes } from '../../domains/scheduling/scheduling.routes.ts'
import { scimRoutes } from '../../domains/scim/scim.routes.ts'
import { sessionPoliciesRoutes } from '../../domains/session-policies/session-policies.routes.ts'
import { sessionsPortalRoutes } from '../../domains/sessions/sessions.portal.routes.ts'
import { sessionsRoutes } from '../../domains/sessions/sessions.routes.ts'
import { ssoRoutes } from '../../domains/sso/sso.routes.ts'
import { storageRoutes } from '../../domains/storage/storage.routes.ts'
import { transcriptsRoutes } from '../../domains/transcripts/transcripts.routes.ts'
import { updatesRoutes } from '../../domains/updates/updates.routes.ts'
import { uploadsRoutes } from '../../domains/uploads/uploads.routes.ts'
import { usageRoutes } from '../../domains/usage/usage.routes.ts'
import { webhooksPortalRoutes } from '../../domains/webhooks/webhooks.portal.routes.ts'
import { webhooksRoutes } from '../../domains/webhooks/webhooks.routes.ts'
import { witnessesRoutes } from '../../domains/witnesses/witnesses.routes.ts'
import type { HandlerMap } from '../../kernel/handler.ts'

/** One handler for each endpoint of the contract; a missing one does not compile. */
export const handlers: HandlerMap = {
  ...accessRequestsRoutes,
  ...apiKeysRoutes,
  ...atsRoutes,
  ...auditRoutes,
  ...authFactorsRoutes,
  ...authRoutes,
  ...authSignInsRoutes,
  ...billingRoutes,
  ...brandingRoutes,
  ...bundlesRoutes,
  ...candidateRequestsRoutes,
  ...capturesRoutes,
  ...chatRoutes,
  ...companionsRoutes,
  ...complianceRoutes,
  ...compositionsRoutes,
  ...deliveriesPortalRoutes,
  ...deliveriesRoutes,
  ...eventsRoutes,
  ...evidenceRoutes,
  ...healthRoutes,
  ...insightsRoutes,
  ...integrityEventsRoutes,
  ...invitationsRoutes,
  ...invitesRoutes,
  ...liveRoutes,
  ...membersRoutes,
  ...notesRoutes,
  ...orgsRoutes,
  ...packsRoutes,
  ...recipientsRoutes,
  ...reelsRoutes,
  ...reportsRoutes,
  ...reportsSigningRoutes,
  ...reportsTimelineRoutes,
  ...retentionRoutes,
  ...reviewsRoutes,
  ...rolesRoutes,
  ...roomsRoutes,
  ...sandboxRoutes,
  ...schedulingRoutes,
  ...scimRoutes,
  ...sessionPoliciesRoutes,
  ...sessionsPortalRoutes,
  ...sessionsRoutes,
  ...ssoRoutes,
  ...storageRoutes,
  ...transcriptsRoutes,
  ...updatesRoutes,
  ...uploadsRoutes,
  ...usageRoutes,
  ...webhooksPortalRoutes,
  ...webhooksRoutes,
  ...witnessesRoutes,
}
