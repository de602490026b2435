// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsJobs } from '../../domains/access/access-requests/access-requests.jobs.ts'
import { authJobs } from '../../domains/access/auth/auth.jobs.ts'
import { invitesJobs } from '../../domains/access/invites/invites.jobs.ts'
import { membersJobs } from '../../domains/access/members/members.jobs.ts'
import { ssoJobs } from '../../domains/access/sso/sso.jobs.ts'
import { billingJobs } from '../../domains/administration/billing/billing.jobs.ts'
import { complianceJobs } from '../../domains/administration/compliance/compliance.jobs.ts'
import { retentionJobs } from '../../domains/administration/retention/retention.jobs.ts'
import { storageJobs } from '../../domains/administration/storage/storage.jobs.ts'
import { timestampsJobs } from '../../domains/administration/timestamps/timestamps.jobs.ts'
import { witnessesJobs } from '../../domains/administration/witnesses/witnesses.jobs.ts'
import { candidateRequestsJobs } from '../../domains/candidates/candidate-requests/candidate-requests.jobs.ts'
import { interviewersJobs } from '../../domains/candidates/interviewers/interviewers.jobs.ts'
import { invitationsJobs } from '../../domains/candidates/invitations/invitations.jobs.ts'
import { atsJobs } from '../../domains/integrations/ats/ats.jobs.ts'
import { chatJobs } from '../../domains/integrations/chat/chat.jobs.ts'
import { deliveriesJobs } from '../../domains/integrations/deliveries/deliveries.jobs.ts'
import { sandboxJobs } from '../../domains/integrations/sandbox/sandbox.jobs.ts'
import { webhooksJobs } from '../../domains/integrations/webhooks/webhooks.jobs.ts'
import { lanesJobs } from '../../domains/interviews/lanes/lanes.jobs.ts'
import { reviewsJobs } from '../../domains/interviews/reviews/reviews.jobs.ts'
import { sessionsJobs } from '../../domains/interviews/sessions/sessions.jobs.ts'
import { auditJobs } from '../../domains/recording/audit/audit.jobs.ts'
import { companionsJobs } from '../../domains/recording/companions/companions.jobs.ts'
import { evidenceJobs } from '../../domains/recording/evidence/evidence.jobs.ts'
import { uploadsJobs } from '../../domains/recording/uploads/uploads.jobs.ts'
import { bundlesJobs } from '../../domains/review/bundles/bundles.jobs.ts'
import { compositionsJobs } from '../../domains/review/compositions/compositions.jobs.ts'
import { reportsJobs } from '../../domains/review/reports/reports.jobs.ts'

/** The jobs of every domain. */
export const jobsOfDomains = [
  ...accessRequestsJobs,
  ...authJobs,
  ...invitesJobs,
  ...membersJobs,
  ...ssoJobs,
  ...billingJobs,
  ...complianceJobs,
  ...retentionJobs,
  ...storageJobs,
  ...timestampsJobs,
  ...witnessesJobs,
  ...candidateRequestsJobs,
  ...interviewersJobs,
  ...invitationsJobs,
  ...atsJobs,
  ...chatJobs,
  ...deliveriesJobs,
  ...sandboxJobs,
  ...webhooksJobs,
  ...lanesJobs,
  ...reviewsJobs,
  ...sessionsJobs,
  ...auditJobs,
  ...companionsJobs,
  ...evidenceJobs,
  ...uploadsJobs,
  ...bundlesJobs,
  ...compositionsJobs,
  ...reportsJobs,
] as const
