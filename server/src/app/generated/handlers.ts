// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsRoutes } from '../../domains/access/access-requests/access-requests.routes.ts'
import { authRoutes } from '../../domains/access/auth/auth.routes.ts'
import { authFactorsRoutes } from '../../domains/access/auth/second-factor/auth.factors.routes.ts'
import { authSignInsRoutes } from '../../domains/access/auth/sign-ins/auth.sign-ins.routes.ts'
import { invitesRoutes } from '../../domains/access/invites/invites.routes.ts'
import { membersRoutes } from '../../domains/access/members/members.routes.ts'
import { rolesRoutes } from '../../domains/access/roles/roles.routes.ts'
import { scimRoutes } from '../../domains/access/scim/scim.routes.ts'
import { ssoRoutes } from '../../domains/access/sso/sso.routes.ts'
import { billingRoutes } from '../../domains/administration/billing/billing.routes.ts'
import { complianceRoutes } from '../../domains/administration/compliance/compliance.routes.ts'
import { insightsRoutes } from '../../domains/administration/insights/insights.routes.ts'
import { retentionRoutes } from '../../domains/administration/retention/retention.routes.ts'
import { storageRoutes } from '../../domains/administration/storage/storage.routes.ts'
import { timestampsRoutes } from '../../domains/administration/timestamps/timestamps.routes.ts'
import { witnessesRoutes } from '../../domains/administration/witnesses/witnesses.routes.ts'
import { candidateRequestsRoutes } from '../../domains/candidates/candidate-requests/candidate-requests.routes.ts'
import { interviewersRoutes } from '../../domains/candidates/interviewers/interviewers.routes.ts'
import { invitationsRoutes } from '../../domains/candidates/invitations/invitations.routes.ts'
import { schedulingRoutes } from '../../domains/candidates/scheduling/scheduling.routes.ts'
import { updatesRoutes } from '../../domains/candidates/updates/updates.routes.ts'
import { atsAssessmentsRoutes } from '../../domains/integrations/ats/ats.assessments.routes.ts'
import { atsRoutes } from '../../domains/integrations/ats/ats.routes.ts'
import { chatRoutes } from '../../domains/integrations/chat/chat.routes.ts'
import { deliveriesPortalRoutes } from '../../domains/integrations/deliveries/deliveries.portal.routes.ts'
import { deliveriesRoutes } from '../../domains/integrations/deliveries/deliveries.routes.ts'
import { eventsRoutes } from '../../domains/integrations/events/events.routes.ts'
import { healthRoutes } from '../../domains/integrations/health/health.routes.ts'
import { sandboxRoutes } from '../../domains/integrations/sandbox/sandbox.routes.ts'
import { webhooksPortalRoutes } from '../../domains/integrations/webhooks/webhooks.portal.routes.ts'
import { webhooksRoutes } from '../../domains/integrations/webhooks/webhooks.routes.ts'
import { integrityEventsRoutes } from '../../domains/interviews/integrity-events/integrity-events.routes.ts'
import { reviewsRoutes } from '../../domains/interviews/reviews/reviews.routes.ts'
import { sessionPoliciesRoutes } from '../../domains/interviews/session-policies/session-policies.routes.ts'
import { sessionsPortalRoutes } from '../../domains/interviews/sessions/sessions.portal.routes.ts'
import { sessionsRoutes } from '../../domains/interviews/sessions/sessions.routes.ts'
import { apiKeysRoutes } from '../../domains/organisation/api-keys/api-keys.routes.ts'
import { brandingRoutes } from '../../domains/organisation/branding/branding.routes.ts'
import { orgsRoutes } from '../../domains/organisation/orgs/orgs.routes.ts'
import { recipientsRoutes } from '../../domains/organisation/recipients/recipients.routes.ts'
import { auditRoutes } from '../../domains/recording/audit/audit.routes.ts'
import { capturesRoutes } from '../../domains/recording/captures/captures.routes.ts'
import { companionsRoutes } from '../../domains/recording/companions/companions.routes.ts'
import { evidenceRoutes } from '../../domains/recording/evidence/evidence.routes.ts'
import { liveRoutes } from '../../domains/recording/live/live.routes.ts'
import { packsRoutes } from '../../domains/recording/packs/packs.routes.ts'
import { roomsRoutes } from '../../domains/recording/rooms/rooms.routes.ts'
import { uploadsRoutes } from '../../domains/recording/uploads/uploads.routes.ts'
import { usageRoutes } from '../../domains/recording/usage/usage.routes.ts'
import { bundlesRoutes } from '../../domains/review/bundles/bundles.routes.ts'
import { compositionsRoutes } from '../../domains/review/compositions/compositions.routes.ts'
import { notesRoutes } from '../../domains/review/notes/notes.routes.ts'
import { reelsRoutes } from '../../domains/review/reels/reels.routes.ts'
import { reportsRoutes } from '../../domains/review/reports/reports.routes.ts'
import { reportsSigningRoutes } from '../../domains/review/reports/reports.signing.routes.ts'
import { reportsTimelineRoutes } from '../../domains/review/reports/reports.timeline.routes.ts'
import { transcriptsRoutes } from '../../domains/review/transcripts/transcripts.routes.ts'
import type { HandlerMap } from '../../kernel/handler.ts'

/** One handler for each endpoint of the contract; a missing one does not compile. */
export const handlers: HandlerMap = {
  ...accessRequestsRoutes,
  ...authRoutes,
  ...authFactorsRoutes,
  ...authSignInsRoutes,
  ...invitesRoutes,
  ...membersRoutes,
  ...rolesRoutes,
  ...scimRoutes,
  ...ssoRoutes,
  ...billingRoutes,
  ...complianceRoutes,
  ...insightsRoutes,
  ...retentionRoutes,
  ...storageRoutes,
  ...timestampsRoutes,
  ...witnessesRoutes,
  ...candidateRequestsRoutes,
  ...interviewersRoutes,
  ...invitationsRoutes,
  ...schedulingRoutes,
  ...updatesRoutes,
  ...atsAssessmentsRoutes,
  ...atsRoutes,
  ...chatRoutes,
  ...deliveriesPortalRoutes,
  ...deliveriesRoutes,
  ...eventsRoutes,
  ...healthRoutes,
  ...sandboxRoutes,
  ...webhooksPortalRoutes,
  ...webhooksRoutes,
  ...integrityEventsRoutes,
  ...reviewsRoutes,
  ...sessionPoliciesRoutes,
  ...sessionsPortalRoutes,
  ...sessionsRoutes,
  ...apiKeysRoutes,
  ...brandingRoutes,
  ...orgsRoutes,
  ...recipientsRoutes,
  ...auditRoutes,
  ...capturesRoutes,
  ...companionsRoutes,
  ...evidenceRoutes,
  ...liveRoutes,
  ...packsRoutes,
  ...roomsRoutes,
  ...uploadsRoutes,
  ...usageRoutes,
  ...bundlesRoutes,
  ...compositionsRoutes,
  ...notesRoutes,
  ...reelsRoutes,
  ...reportsRoutes,
  ...reportsSigningRoutes,
  ...reportsTimelineRoutes,
  ...transcriptsRoutes,
}
