// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsExamples } from '../examples/access-requests.examples.ts'
import { apiKeysExamples } from '../examples/api-keys.examples.ts'
import { atsExamples } from '../examples/ats.examples.ts'
import { auditExamples } from '../examples/audit.examples.ts'
import { authFactorsExamples } from '../examples/auth-factors.examples.ts'
import { authExamples } from '../examples/auth.examples.ts'
import { billingExamples } from '../examples/billing.examples.ts'
import { brandingExamples } from '../examples/branding.examples.ts'
import { bundlesExamples } from '../examples/bundles.examples.ts'
import { candidateRequestsExamples } from '../examples/candidate-requests.examples.ts'
import { capturesExamples } from '../examples/captures.examples.ts'
import { chatExamples } from '../examples/chat.examples.ts'
import { companionsExamples } from '../examples/companions.examples.ts'
import { complianceExamples } from '../examples/compliance.examples.ts'
import { compositionsExamples } from '../examples/compositions.examples.ts'
import { evidenceExamples } from '../examples/evidence.examples.ts'
import { insightsExamples } from '../examples/insights.examples.ts'
import { integrityEventsExamples } from '../examples/integrity-events.examples.ts'
import { interviewersExamples } from '../examples/interviewers.examples.ts'
import { invitesExamples } from '../examples/invites.examples.ts'
import { notesExamples } from '../examples/notes.examples.ts'
import { packsExamples } from '../examples/packs.examples.ts'
import { peopleExamples } from '../examples/people.examples.ts'
import { recipientsExamples } from '../examples/recipients.examples.ts'
import { reelsExamples } from '../examples/reels.examples.ts'
import { reportsExamples } from '../examples/reports.examples.ts'
import { retentionExamples } from '../examples/retention.examples.ts'
import { reviewsExamples } from '../examples/reviews.examples.ts'
import { roomsExamples } from '../examples/rooms.examples.ts'
import { sandboxExamples } from '../examples/sandbox.examples.ts'
import { scimExamples } from '../examples/scim.examples.ts'
import { sessionPoliciesExamples } from '../examples/session-policies.examples.ts'
import { sessionsExamples } from '../examples/sessions.examples.ts'
import { signingExamples } from '../examples/signing.examples.ts'
import { ssoExamples } from '../examples/sso.examples.ts'
import { storageExamples } from '../examples/storage.examples.ts'
import { timestampsExamples } from '../examples/timestamps.examples.ts'
import { transcriptsExamples } from '../examples/transcripts.examples.ts'
import { uploadsExamples } from '../examples/uploads.examples.ts'
import { usageExamples } from '../examples/usage.examples.ts'
import { webhooksExamples } from '../examples/webhooks.examples.ts'
import { witnessesExamples } from '../examples/witnesses.examples.ts'

/** A valid request for each endpoint of every domain. */
export const examplesOfDomains = {
  ...accessRequestsExamples,
  ...apiKeysExamples,
  ...atsExamples,
  ...auditExamples,
  ...authFactorsExamples,
  ...authExamples,
  ...billingExamples,
  ...brandingExamples,
  ...bundlesExamples,
  ...candidateRequestsExamples,
  ...capturesExamples,
  ...chatExamples,
  ...companionsExamples,
  ...complianceExamples,
  ...compositionsExamples,
  ...evidenceExamples,
  ...insightsExamples,
  ...integrityEventsExamples,
  ...interviewersExamples,
  ...invitesExamples,
  ...notesExamples,
  ...packsExamples,
  ...peopleExamples,
  ...recipientsExamples,
  ...reelsExamples,
  ...reportsExamples,
  ...retentionExamples,
  ...reviewsExamples,
  ...roomsExamples,
  ...sandboxExamples,
  ...scimExamples,
  ...sessionPoliciesExamples,
  ...sessionsExamples,
  ...signingExamples,
  ...ssoExamples,
  ...storageExamples,
  ...timestampsExamples,
  ...transcriptsExamples,
  ...uploadsExamples,
  ...usageExamples,
  ...webhooksExamples,
  ...witnessesExamples,
}
