import type { Migration } from '../platform/db/migrate.ts'
import { organisations } from './0010-organisations.ts'
import { sessions } from './0020-sessions.ts'
import { integrityEvents } from './0030-integrity-events.ts'
import { transcripts } from './0040-transcripts.ts'
import { evidence } from './0050-evidence.ts'
import { audit } from './0060-audit.ts'
import { events } from './0070-events.ts'
import { webhooks } from './0080-webhooks.ts'
import { idempotency } from './0090-idempotency.ts'
import { jobs } from './0100-jobs.ts'
import { portalLogin } from './0110-portal-login.ts'
import { compositions } from './0120-compositions.ts'
import { simulations } from './0130-simulations.ts'
import { companions } from './0140-companions.ts'
import { signedDocuments } from './0150-signed-documents.ts'
import { permissionTimes } from './0160-permission-times.ts'
import { joinTicketIndex } from './0170-join-ticket-index.ts'
import { links } from './0180-links.ts'
import { invitations } from './0190-invitations.ts'
import { candidateRequests } from './0200-candidate-requests.ts'
import { refusedInvitations } from './0210-refused-invitations.ts'
import { listIndexes } from './0220-list-indexes.ts'
import { listCounts } from './0221-list-counts.ts'
import { masterKeyNames } from './0230-master-key-names.ts'
import { ingestPages } from './0240-ingest-pages.ts'
import { erasedWords } from './0260-erased-words.ts'
import { eventCategories } from './0261-event-categories.ts'
import { people } from './0300-people.ts'
import { passwordLinks } from './0310-password-links.ts'
import { accessRequests } from './0320-access-requests.ts'
import { invites } from './0321-invites.ts'
import { inviteExpiry } from './0322-invite-expiry.ts'
import { sessionPolicies } from './0330-session-policies.ts'
import { secondFactors } from './0331-second-factors.ts'
import { auditLists } from './0340-audit-lists.ts'
import { reviews } from './0341-reviews.ts'
import { momentEvents } from './0350-moment-events.ts'
import { retention } from './0355-retention.ts'
import { evidenceUsage } from './0356-evidence-usage.ts'
import { storage } from './0370-storage.ts'
import { heldSessions } from './0380-held-sessions.ts'
import { insightIndexes } from './0381-insights.ts'
import { sso } from './0400-sso.ts'
import { ssoBrowser } from './0403-sso-browser.ts'
import { ssoSigningKeys } from './0404-sso-signing-keys.ts'
import { vouchedSignIns } from './0405-vouched-sign-ins.ts'
import { scim } from './0410-scim.ts'
import { ats } from './0420-ats.ts'
import { chat } from './0430-chat.ts'
import { billing } from './0440-billing.ts'
import { branding } from './0450-branding.ts'
import { auditSeals } from './0500-audit-seals.ts'
import { keptCheckpoints } from './0501-kept-checkpoints.ts'
import { evidenceBinding } from './0510-evidence-binding.ts'
import { sessionKeys } from './0511-session-keys.ts'
import { rootKeys } from './0520-root-keys.ts'
import { witnesses } from './0521-witnesses.ts'
import { bundles } from './0600-bundles.ts'
import { captureKeys } from './0610-capture-keys.ts'
import { datedSimulations } from './0630-dated-simulations.ts'
import { deliveryFaults } from './0631-delivery-faults.ts'
import { sharedMemory } from './0640-shared-memory.ts'
import { sharedBlobs } from './0641-shared-blobs.ts'
import { openConnections } from './0642-open-connections.ts'
import { ownRecipients } from './0660-own-recipients.ts'
import { accountLanguages } from './0680-account-languages.ts'
import { monthsToBe } from './0695-months-to-be.ts'
import { monthsChecked } from './0696-months-checked.ts'
import { partsByMonth } from './0697-parts-by-month.ts'
import { settling } from './0700-settling.ts'
import { requestIds } from './0720-request-ids.ts'
import { observedStates } from './0800-observed-states.ts'
import { evidenceSources } from './0810-evidence-sources.ts'
import { evidenceSequences } from './0811-evidence-sequences.ts'
import { sessionWatches } from './0820-session-watches.ts'
import { undecoded } from './0830-undecoded.ts'
import { rightsThatEnd } from './0840-rights-that-end.ts'
import { recordSalts } from './0850-record-salts.ts'
import { retentionReminders } from './0860-retention-reminders.ts'
import { eventBytes } from './0870-event-bytes.ts'
import { severalSubscriptions } from './0880-several-subscriptions.ts'
import { attemptErrors } from './0885-attempt-errors.ts'
import { calendarRequests } from './0886-calendar-requests.ts'
import { packs } from './0900-packs.ts'
import { seenDecodable } from './0901-seen-decodable.ts'
import { baseRates } from './0920-base-rates.ts'
import { ssoOidc } from './0930-sso-oidc.ts'
import { assessments } from './0932-assessments.ts'
import { madeBeside } from './0940-made-beside.ts'
import { recentRequests } from './0950-recent-requests.ts'
import { statements } from './0960-statements.ts'
import { listeningMoments } from './0970-listening-moments.ts'
import { sessionSearch } from './0970-session-search.ts'
import { traces } from './0990-traces.ts'
import { interviewers } from './1000-interviewers.ts'
import { orgSettings } from './1010-org-settings.ts'
import { timestamps } from './1020-timestamps.ts'
import { unopenedMoments } from './1035-unopened-moments.ts'
import { statementsOfMoments } from './1060-statements-of-moments.ts'
import { interviewerRemovals } from './1070-interviewer-removals.ts'
import { settingsVersions } from './1090-settings-versions.ts'

/**
 * Every migration in the order of `order.txt`. A new one is appended, whatever its number: what comes before it may be
 * applied somewhere. One that is released is never changed in what it makes.
 */
export const migrations: readonly Migration[] = [
  organisations,
  sessions,
  integrityEvents,
  transcripts,
  evidence,
  audit,
  events,
  webhooks,
  idempotency,
  jobs,
  portalLogin,
  compositions,
  simulations,
  companions,
  signedDocuments,
  permissionTimes,
  joinTicketIndex,
  links,
  invitations,
  candidateRequests,
  refusedInvitations,
  listIndexes,
  listCounts,
  masterKeyNames,
  ingestPages,
  erasedWords,
  eventCategories,
  people,
  passwordLinks,
  accessRequests,
  invites,
  inviteExpiry,
  sessionPolicies,
  secondFactors,
  auditLists,
  reviews,
  momentEvents,
  retention,
  evidenceUsage,
  storage,
  heldSessions,
  insightIndexes,
  sso,
  ssoBrowser,
  ssoSigningKeys,
  vouchedSignIns,
  scim,
  ats,
  chat,
  billing,
  branding,
  auditSeals,
  keptCheckpoints,
  evidenceBinding,
  sessionKeys,
  rootKeys,
  witnesses,
  bundles,
  captureKeys,
  datedSimulations,
  deliveryFaults,
  sharedMemory,
  sharedBlobs,
  openConnections,
  ownRecipients,
  accountLanguages,
  monthsToBe,
  monthsChecked,
  partsByMonth,
  settling,
  requestIds,
  observedStates,
  evidenceSources,
  evidenceSequences,
  sessionWatches,
  undecoded,
  recordSalts,
  retentionReminders,
  eventBytes,
  severalSubscriptions,
  attemptErrors,
  calendarRequests,
  rightsThatEnd,
  packs,
  seenDecodable,
  baseRates,
  ssoOidc,
  recentRequests,
  madeBeside,
  sessionSearch,
  assessments,
  traces,
  listeningMoments,
  statements,
  unopenedMoments,
  timestamps,
  orgSettings,
  interviewers,
  statementsOfMoments,
  interviewerRemovals,
  settingsVersions,
]
