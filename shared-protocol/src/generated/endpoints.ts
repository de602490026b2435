// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsEndpoints } from '../domains/access-requests/access-requests.endpoints.ts'
import { apiKeysEndpoints } from '../domains/api-keys/api-keys.endpoints.ts'
import { atsEndpoints } from '../domains/ats/ats.endpoints.ts'
import { auditAccessEndpoints } from '../domains/audit/audit.access.endpoints.ts'
import { auditEndpoints } from '../domains/audit/audit.endpoints.ts'
import { authEndpoints } from '../domains/auth/auth.endpoints.ts'
import { authFactorsEndpoints } from '../domains/auth/auth.factors.endpoints.ts'
import { authSignInsEndpoints } from '../domains/auth/auth.sign-ins.endpoints.ts'
import { billingEndpoints } from '../domains/billing/billing.endpoints.ts'
import { brandingEndpoints } from '../domains/branding/branding.endpoints.ts'
import { bundlesEndpoints } from '../domains/bundles/bundles.endpoints.ts'
import { candidateRequestsEndpoints } from '../domains/candidate-requests/candidate-requests.endpoints.ts'
import { capturesEndpoints } from '../domains/captures/captures.endpoints.ts'
import { chatEndpoints } from '../domains/chat/chat.endpoints.ts'
import { companionsEndpoints } from '../domains/companions/companions.endpoints.ts'
import { complianceEndpoints } from '../domains/compliance/compliance.endpoints.ts'
import { compositionsEndpoints } from '../domains/compositions/compositions.endpoints.ts'
import { deliveriesEndpoints } from '../domains/deliveries/deliveries.endpoints.ts'
import { deliveriesPortalEndpoints } from '../domains/deliveries/deliveries.portal.endpoints.ts'
import { eventsEndpoints } from '../domains/events/events.endpoints.ts'
import { evidenceEndpoints } from '../domains/evidence/evidence.endpoints.ts'
import { healthEndpoints } from '../domains/health/health.endpoints.ts'
import { insightsEndpoints } from '../domains/insights/insights.endpoints.ts'
import { integrityEventsEndpoints } from '../domains/integrity-events/integrity-events.endpoints.ts'
import { invitationsEndpoints } from '../domains/invitations/invitations.endpoints.ts'
import { invitesEndpoints } from '../domains/invites/invites.endpoints.ts'
import { liveEndpoints } from '../domains/live/live.endpoints.ts'
import { membersEndpoints } from '../domains/members/members.endpoints.ts'
import { notesEndpoints } from '../domains/notes/notes.endpoints.ts'
import { orgsEndpoints } from '../domains/orgs/orgs.endpoints.ts'
import { packsEndpoints } from '../domains/packs/packs.endpoints.ts'
import { recipientsEndpoints } from '../domains/recipients/recipients.endpoints.ts'
import { reelsEndpoints } from '../domains/reels/reels.endpoints.ts'
import { reportsEndpoints } from '../domains/reports/reports.endpoints.ts'
import { reportsExportEndpoints } from '../domains/reports/reports.export.endpoints.ts'
import { reportsPortalEndpoints } from '../domains/reports/reports.portal.endpoints.ts'
import { reportsSigningEndpoints } from '../domains/reports/reports.signing.endpoints.ts'
import { retentionEndpoints } from '../domains/retention/retention.endpoints.ts'
import { reviewsEndpoints } from '../domains/reviews/reviews.endpoints.ts'
import { rolesEndpoints } from '../domains/roles/roles.endpoints.ts'
import { roomsEndpoints } from '../domains/rooms/rooms.endpoints.ts'
import { sandboxEndpoints } from '../domains/sandbox/sandbox.endpoints.ts'
import { schedulingEndpoints } from '../domains/scheduling/scheduling.endpoints.ts'
import { scimEndpoints } from '../domains/scim/scim.endpoints.ts'
import { sessionPoliciesEndpoints } from '../domains/session-policies/session-policies.endpoints.ts'
import { sessionsEndpoints } from '../domains/sessions/sessions.endpoints.ts'
import { sessionsPortalEndpoints } from '../domains/sessions/sessions.portal.endpoints.ts'
import { ssoEndpoints } from '../domains/sso/sso.endpoints.ts'
import { storageEndpoints } from '../domains/storage/storage.endpoints.ts'
import { transcriptsEndpoints } from '../domains/transcripts/transcripts.endpoints.ts'
import { updatesEndpoints } from '../domains/updates/updates.endpoints.ts'
import { uploadsEndpoints } from '../domains/uploads/uploads.endpoints.ts'
import { usageEndpoints } from '../domains/usage/usage.endpoints.ts'
import { webhooksEndpoints } from '../domains/webhooks/webhooks.endpoints.ts'
import { webhooksPortalEndpoints } from '../domains/webhooks/webhooks.portal.endpoints.ts'
import { witnessesEndpoints } from '../domains/witnesses/witnesses.endpoints.ts'

/** The endpoints of every domain. */
export const endpointsOfDomains = [
  ...accessRequestsEndpoints,
  ...apiKeysEndpoints,
  ...atsEndpoints,
  ...auditAccessEndpoints,
  ...auditEndpoints,
  ...authEndpoints,
  ...authFactorsEndpoints,
  ...authSignInsEndpoints,
  ...billingEndpoints,
  ...brandingEndpoints,
  ...bundlesEndpoints,
  ...candidateRequestsEndpoints,
  ...capturesEndpoints,
  ...chatEndpoints,
  ...companionsEndpoints,
  ...complianceEndpoints,
  ...compositionsEndpoints,
  ...deliveriesEndpoints,
  ...deliveriesPortalEndpoints,
  ...eventsEndpoints,
  ...evidenceEndpoints,
  ...healthEndpoints,
  ...insightsEndpoints,
  ...integrityEventsEndpoints,
  ...invitationsEndpoints,
  ...invitesEndpoints,
  ...liveEndpoints,
  ...membersEndpoints,
  ...notesEndpoints,
  ...orgsEndpoints,
  ...packsEndpoints,
  ...recipientsEndpoints,
  ...reelsEndpoints,
  ...reportsEndpoints,
  ...reportsExportEndpoints,
  ...reportsPortalEndpoints,
  ...reportsSigningEndpoints,
  ...retentionEndpoints,
  ...reviewsEndpoints,
  ...rolesEndpoints,
  ...roomsEndpoints,
  ...sandboxEndpoints,
  ...schedulingEndpoints,
  ...scimEndpoints,
  ...sessionPoliciesEndpoints,
  ...sessionsEndpoints,
  ...sessionsPortalEndpoints,
  ...ssoEndpoints,
  ...storageEndpoints,
  ...transcriptsEndpoints,
  ...updatesEndpoints,
  ...uploadsEndpoints,
  ...usageEndpoints,
  ...webhooksEndpoints,
  ...webhooksPortalEndpoints,
  ...witnessesEndpoints,
] as const
