import type { SessionPlace } from '../../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../../platform/db/types.ts'

/** A session as it is read: what its provisioner, its policy and its agent said. Not the counts, nor permissions, which events tell. */
export const findSessionRecord = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
): Promise<Record<string, string | number | null> | undefined> =>
  reader.get(
    `SELECT environment, external_id AS "externalId", candidate_label AS "candidateLabel", state, config,
       policy_version AS "policyVersion", policy_id AS "policyId", made_with_version AS "madeWithVersion", consent, meeting,
       schedule, provisioned_kind AS "provisionedKind", provisioned_id AS "provisionedId",
       provisioned_label AS "provisionedLabel", lanes_off AS "lanesOff", device, capabilities,
       registered_at AS "registeredAt", created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt",
       end_reason AS "endReason", erased_at AS "erasedAt"
     FROM sessions WHERE org_id = ? AND session_id = ?`,
    [orgId, sessionId],
  )

/** Whether a session's own mark says that it may not be erased. */
export const findHoldMark = async (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<boolean> =>
  (
    await reader.get<{ held: number }>('SELECT legal_hold AS held FROM sessions WHERE org_id = ? AND session_id = ?', [
      orgId,
      sessionId,
    ])
  )?.held === 1

/** Each answer with the document that it was to, oldest first; one of them where it is named. */
export const listConsentRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: string,
): Promise<({ id: string } & Record<string, string | number | null>)[]> =>
  reader.all(
    `SELECT consent_id AS id, kind, version, locale, document_hash AS "documentHash", document, lanes,
       accepted_at AS "acceptedAt", recorded_at AS "recordedAt", credential_id AS "credentialId",
       retention_days AS "retentionDays"
     FROM consents WHERE org_id = ? AND session_id = ?${only === undefined ? '' : ' AND consent_id = ?'}
     ORDER BY recorded_at, consent_id`,
    [orgId, sessionId, ...(only === undefined ? [] : [only])],
  )
