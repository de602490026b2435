// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsEndpoints } from '../domains/access/access-requests/access-requests.endpoints.ts'
import { authEndpoints } from '../domains/access/auth/auth.endpoints.ts'
import { authFactorsEndpoints } from '../domains/access/auth/auth.factors.endpoints.ts'
import { authSignInsEndpoints } from '../domains/access/auth/auth.sign-ins.endpoints.ts'
import { invitesEndpoints } from '../domains/access/invites/invites.endpoints.ts'
import { membersEndpoints } from '../domains/access/members/members.endpoints.ts'
import { rolesEndpoints } from '../domains/access/roles/roles.endpoints.ts'
import { scimEndpoints } from '../domains/access/scim/scim.endpoints.ts'
import { ssoEndpoints } from '../domains/access/sso/sso.endpoints.ts'
import { billingEndpoints } from '../domains/administration/billing/billing.endpoints.ts'
import { complianceEndpoints } from '../domains/administration/compliance/compliance.endpoints.ts'
import { insightsEndpoints } from '../domains/administration/insights/insights.endpoints.ts'
import { retentionEndpoints } from '../domains/administration/retention/retention.endpoints.ts'
import { storageEndpoints } from '../domains/administration/storage/storage.endpoints.ts'
import { timestampsEndpoints } from '../domains/administration/timestamps/timestamps.endpoints.ts'
import { witnessesEndpoints } from '../domains/administration/witnesses/witnesses.endpoints.ts'
import { candidateRequestsEndpoints } from '../domains/candidates/candidate-requests/candidate-requests.endpoints.ts'
import { candidateRequestsPlayingEndpoints } from '../domains/candidates/candidate-requests/candidate-requests.playing.endpoints.ts'
import { interviewersEndpoints } from '../domains/candidates/interviewers/interviewers.endpoints.ts'
import { invitationsEndpoints } from '../domains/candidates/invitations/invitations.endpoints.ts'
import { schedulingEndpoints } from '../domains/candidates/scheduling/scheduling.endpoints.ts'
import { updatesEndpoints } from '../domains/candidates/updates/updates.endpoints.ts'
import { atsAssessmentsEndpoints } from '../domains/integrations/ats/ats.assessments.endpoints.ts'
import { atsEndpoints } from '../domains/integrations/ats/ats.endpoints.ts'
import { chatEndpoints } from '../domains/integrations/chat/chat.endpoints.ts'
import { deliveriesEndpoints } from '../domains/integrations/deliveries/deliveries.endpoints.ts'
import { deliveriesPortalEndpoints } from '../domains/integrations/deliveries/deliveries.portal.endpoints.ts'
import { eventsEndpoints } from '../domains/integrations/events/events.endpoints.ts'
import { healthEndpoints } from '../domains/integrations/health/health.endpoints.ts'
import { sandboxEndpoints } from '../domains/integrations/sandbox/sandbox.endpoints.ts'
import { webhooksEndpoints } from '../domains/integrations/webhooks/webhooks.endpoints.ts'
import { webhooksPortalEndpoints } from '../domains/integrations/webhooks/webhooks.portal.endpoints.ts'
import { integrityEventsEndpoints } from '../domains/interviews/integrity-events/integrity-events.endpoints.ts'
import { reviewsEndpoints } from '../domains/interviews/reviews/reviews.endpoints.ts'
import { sessionPoliciesEndpoints } from '../domains/interviews/session-policies/session-policies.endpoints.ts'
import { sessionsEndpoints } from '../domains/interviews/sessions/sessions.endpoints.ts'
import { sessionsPortalEndpoints } from '../domains/interviews/sessions/sessions.portal.endpoints.ts'
import { apiKeysEndpoints } from '../domains/organisation/api-keys/api-keys.endpoints.ts'
import { brandingEndpoints } from '../domains/organisation/branding/branding.endpoints.ts'
import { orgsEndpoints } from '../domains/organisation/orgs/orgs.endpoints.ts'
import { recipientsEndpoints } from '../domains/organisation/recipients/recipients.endpoints.ts'
import { auditAccessEndpoints } from '../domains/recording/audit/audit.access.endpoints.ts'
import { auditEndpoints } from '../domains/recording/audit/audit.endpoints.ts'
import { capturesEndpoints } from '../domains/recording/captures/captures.endpoints.ts'
import { companionsEndpoints } from '../domains/recording/companions/companions.endpoints.ts'
import { evidenceEndpoints } from '../domains/recording/evidence/evidence.endpoints.ts'
import { liveEndpoints } from '../domains/recording/live/live.endpoints.ts'
import { packsEndpoints } from '../domains/recording/packs/packs.endpoints.ts'
import { roomsEndpoints } from '../domains/recording/rooms/rooms.endpoints.ts'
import { uploadsEndpoints } from '../domains/recording/uploads/uploads.endpoints.ts'
import { usageEndpoints } from '../domains/recording/usage/usage.endpoints.ts'
import { bundlesEndpoints } from '../domains/review/bundles/bundles.endpoints.ts'
import { compositionsEndpoints } from '../domains/review/compositions/compositions.endpoints.ts'
import { notesEndpoints } from '../domains/review/notes/notes.endpoints.ts'
import { reelsEndpoints } from '../domains/review/reels/reels.endpoints.ts'
import { reportsEndpoints } from '../domains/review/reports/reports.endpoints.ts'
import { reportsExportEndpoints } from '../domains/review/reports/reports.export.endpoints.ts'
import { reportsPortalEndpoints } from '../domains/review/reports/reports.portal.endpoints.ts'
import { reportsSigningEndpoints } from '../domains/review/reports/reports.signing.endpoints.ts'
import { transcriptsEndpoints } from '../domains/review/transcripts/transcripts.endpoints.ts'

/** The endpoints of every domain. */
export const endpointsOfDomains = [
  ...accessRequestsEndpoints,
  ...authEndpoints,
  ...authFactorsEndpoints,
  ...authSignInsEndpoints,
  ...invitesEndpoints,
  ...membersEndpoints,
  ...rolesEndpoints,
  ...scimEndpoints,
  ...ssoEndpoints,
  ...billingEndpoints,
  ...complianceEndpoints,
  ...insightsEndpoints,
  ...retentionEndpoints,
  ...storageEndpoints,
  ...timestampsEndpoints,
  ...witnessesEndpoints,
  ...candidateRequestsEndpoints,
  ...candidateRequestsPlayingEndpoints,
  ...interviewersEndpoints,
  ...invitationsEndpoints,
  ...schedulingEndpoints,
  ...updatesEndpoints,
  ...atsAssessmentsEndpoints,
  ...atsEndpoints,
  ...chatEndpoints,
  ...deliveriesEndpoints,
  ...deliveriesPortalEndpoints,
  ...eventsEndpoints,
  ...healthEndpoints,
  ...sandboxEndpoints,
  ...webhooksEndpoints,
  ...webhooksPortalEndpoints,
  ...integrityEventsEndpoints,
  ...reviewsEndpoints,
  ...sessionPoliciesEndpoints,
  ...sessionsEndpoints,
  ...sessionsPortalEndpoints,
  ...apiKeysEndpoints,
  ...brandingEndpoints,
  ...orgsEndpoints,
  ...recipientsEndpoints,
  ...auditAccessEndpoints,
  ...auditEndpoints,
  ...capturesEndpoints,
  ...companionsEndpoints,
  ...evidenceEndpoints,
  ...liveEndpoints,
  ...packsEndpoints,
  ...roomsEndpoints,
  ...uploadsEndpoints,
  ...usageEndpoints,
  ...bundlesEndpoints,
  ...compositionsEndpoints,
  ...notesEndpoints,
  ...reelsEndpoints,
  ...reportsEndpoints,
  ...reportsExportEndpoints,
  ...reportsPortalEndpoints,
  ...reportsSigningEndpoints,
  ...transcriptsEndpoints,
] as const

/** The same, by the wing of their domain. */
export const endpointsOfWings = {
  access: [...accessRequestsEndpoints, ...authEndpoints, ...authFactorsEndpoints, ...authSignInsEndpoints, ...invitesEndpoints, ...membersEndpoints, ...rolesEndpoints, ...scimEndpoints, ...ssoEndpoints],
  administration: [...billingEndpoints, ...complianceEndpoints, ...insightsEndpoints, ...retentionEndpoints, ...storageEndpoints, ...timestampsEndpoints, ...witnessesEndpoints],
  candidates: [...candidateRequestsEndpoints, ...candidateRequestsPlayingEndpoints, ...interviewersEndpoints, ...invitationsEndpoints, ...schedulingEndpoints, ...updatesEndpoints],
  integrations: [...atsAssessmentsEndpoints, ...atsEndpoints, ...chatEndpoints, ...deliveriesEndpoints, ...deliveriesPortalEndpoints, ...eventsEndpoints, ...healthEndpoints, ...sandboxEndpoints, ...webhooksEndpoints, ...webhooksPortalEndpoints],
  interviews: [...integrityEventsEndpoints, ...reviewsEndpoints, ...sessionPoliciesEndpoints, ...sessionsEndpoints, ...sessionsPortalEndpoints],
  organisation: [...apiKeysEndpoints, ...brandingEndpoints, ...orgsEndpoints, ...recipientsEndpoints],
  recording: [...auditAccessEndpoints, ...auditEndpoints, ...capturesEndpoints, ...companionsEndpoints, ...evidenceEndpoints, ...liveEndpoints, ...packsEndpoints, ...roomsEndpoints, ...uploadsEndpoints, ...usageEndpoints],
  review: [...bundlesEndpoints, ...compositionsEndpoints, ...notesEndpoints, ...reelsEndpoints, ...reportsEndpoints, ...reportsExportEndpoints, ...reportsPortalEndpoints, ...reportsSigningEndpoints, ...transcriptsEndpoints],
} as const
