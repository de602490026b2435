// Generated from the folders of the domains by `npm run generate`.
import { accessRequestsJobs } from '../../domains/access-requests/access-requests.jobs.ts'
import { atsJobs } from '../../domains/ats/ats.jobs.ts'
import { auditJobs } from '../../domains/audit/audit.jobs.ts'
import { authJobs } from '../../domains/auth/auth.jobs.ts'
import { billingJobs } from '../../domains/billing/billing.jobs.ts'
import { bundlesJobs } from '../../domains/bundles/bundles.jobs.ts'
import { candidateRequestsJobs } from '../../domains/candidate-requests/candidate-requests.jobs.ts'
import { chatJobs } from '../../domains/chat/chat.jobs.ts'
import { companionsJobs } from '../../domains/companions/companions.jobs.ts'
import { compositionsJobs } from '../../domains/compositions/compositions.jobs.ts'
import { deliveriesJobs } from '../../domains/deliveries/deliveries.jobs.ts'
import { evidenceJobs } from '../../domains/evidence/evidence.jobs.ts'
import { invitationsJobs } from '../../domains/invitations/invitations.jobs.ts'
import { invitesJobs } from '../../domains/invites/invites.jobs.ts'
import { lanesJobs } from '../../domains/lanes/lanes.jobs.ts'
import { membersJobs } from '../../domains/members/members.jobs.ts'
import { reportsJobs } from '../../domains/reports/reports.jobs.ts'
import { retentionJobs } from '../../domains/retention/retention.jobs.ts'
import { reviewsJobs } from '../../domains/reviews/reviews.jobs.ts'
import { sandboxJobs } from '../../domains/sandbox/sandbox.jobs.ts'
import { sessionsJobs } from '../../domains/sessions/sessions.jobs.ts'
import { ssoJobs } from '../../domains/sso/sso.jobs.ts'
import { storageJobs } from '../../domains/storage/storage.jobs.ts'
import { uploadsJobs } from '../../domains/uploads/uploads.jobs.ts'
import { webhooksJobs } from '../../domains/webhooks/webhooks.jobs.ts'
import { witnessesJobs } from '../../domains/witnesses/witnesses.jobs.ts'

/** The jobs of every domain. */
export const jobsOfDomains = [
  ...accessRequestsJobs,
  ...atsJobs,
  ...auditJobs,
  ...authJobs,
  ...billingJobs,
  ...bundlesJobs,
  ...candidateRequestsJobs,
  ...chatJobs,
  ...companionsJobs,
  ...compositionsJobs,
  ...deliveriesJobs,
  ...evidenceJobs,
  ...invitationsJobs,
  ...invitesJobs,
  ...lanesJobs,
  ...membersJobs,
  ...reportsJobs,
  ...retentionJobs,
  ...reviewsJobs,
  ...sandboxJobs,
  ...sessionsJobs,
  ...ssoJobs,
  ...storageJobs,
  ...uploadsJobs,
  ...webhooksJobs,
  ...witnessesJobs,
] as const
