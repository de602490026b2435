import { texts } from '../../../texts/en/audit.ts'

/** Every action the audit chain knows, with its sentence. */
export const auditActions = texts
export type AuditAction = keyof typeof auditActions

/** What opens something of a session, or takes it out of the service. */
export const accessActions = [
  'evidence.viewed',
  'evidence.downloaded',
  'evidence.played',
  'evidence.download_link_created',
  'composition.viewed',
  'composition.downloaded',
  'composition.download_link_created',
  'candidate_request.exported',
  'session.exported',
  'report.exported',
  'session.bundle_downloaded',
  'session.watched',
] as const satisfies readonly AuditAction[]

/** What changes a session's record: after one of these a bundle that was built before is not the newest any more. */
export const changingActions = [
  'session.created',
  'session.config_changed',
  'session.meeting_set',
  'session.meeting_removed',
  'session.schedule_changed',
  'session.schedule_cancelled',
  'session.registered',
  'session.consent_declined',
  'session.consent_changed',
  'session.events_received',
  'session.transcript_changed',
  'session.ended',
  'session.partly_erased',
  'session.erased',
  'evidence.stored',
  'evidence.pack_stored',
  'legal_hold.placed',
  'legal_hold.released',
  'companion.paired',
  'companion.unpaired',
  'companion.presence_received',
  'companion.interrupted',
  'companion.placed',
  'note.added',
  'annotation.added',
  'candidate_request.submitted',
  'candidate_request.completed',
  'report.signed_off',
] as const satisfies readonly AuditAction[]

/** What changes an organisation's configuration, so that its statement may say something else. */
export const configuringActions = [
  'org.data_protection_set',
  'org.review_set',
  'role.created',
  'role.changed',
  'role.deleted',
  'api_key.created',
  'api_key.revoked',
  'policy.created',
  'policy.changed',
  'policy.version_written',
  'policy.archived',
  'branding.changed',
  'ats.connected',
  'ats.changed',
  'ats.disconnected',
  'chat.installed',
  'chat.changed',
  'chat.removed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'recipient.added',
  'recipient.removed',
  'retention.changed',
  'legal_hold.placed',
  'legal_hold.released',
  'storage.changed',
  'storage.migrated',
  'billing.plan_changed',
  'billing.plan_agreed',
  'billing.subscription_changed',
  'billing.subscription_lapsed',
] as const satisfies readonly AuditAction[]

/** What was done with the candidate's own record; who reviews, and when, is not theirs. */
export const ownActions = [
  'session.created',
  'session.joined',
  'session.registered',
  'session.consent_declined',
  'session.consent_changed',
  'session.events_received',
  'session.transcript_changed',
  'session.ended',
  'session.partly_erased',
  'session.erased',
  'evidence.stored',
  'evidence.pack_stored',
] as const satisfies readonly AuditAction[]
