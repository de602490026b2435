import { auditActions } from '../../domains/audit/audit.actions.ts'

/** Each action that the audit trail knows, as a sentence. */
export const texts = auditActions
