import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

/** Stands for the interview itself among the rules that found something in it. */
export const everyInterview = '*'

export interface RuleCount {
  readonly rule: string
  readonly sessions: number
}

/** At most one row for each rule. */
export const listCounts = (
  reader: Reader,
  { orgId, environment }: Scope,
  policyId: string,
): Promise<readonly RuleCount[]> =>
  reader.all<RuleCount>(
    'SELECT rule, sessions FROM base_rates WHERE org_id = ? AND environment = ? AND policy_id = ? ORDER BY rule',
    [orgId, environment, policyId],
  )

export interface Mark {
  readonly endedAt: number
  readonly sessionId: string
}

/** The last interview that was counted. */
export const findMark = async (reader: Reader, { orgId, environment }: Scope): Promise<Mark> =>
  (await reader.get<Mark>(
    'SELECT ended_at AS "endedAt", session_id AS "sessionId" FROM base_rate_marks WHERE org_id = ? AND environment = ?',
    [orgId, environment],
  )) ?? { endedAt: 0, sessionId: '' }

export const moveMark = async (tx: Tx, { orgId, environment }: Scope, mark: Mark): Promise<void> => {
  await tx.run(
    `INSERT INTO base_rate_marks (org_id, environment, ended_at, session_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, environment) DO UPDATE SET ended_at = excluded.ended_at, session_id = excluded.session_id`,
    [orgId, environment, mark.endedAt, mark.sessionId],
  )
}

interface Found {
  readonly sessionId: string
  readonly policyId: string
  /** In the order of their names, in which whoever counts waits for others. */
  readonly rules: readonly string[]
}

/** Counts an interview, once: a rule that is counted for it already stays as it is. */
export const countInterview = async (tx: Tx, { orgId, environment }: Scope, found: Found): Promise<void> => {
  for (const rule of found.rules) {
    const { changes } = await tx.run(
      `INSERT INTO session_rules (org_id, session_id, rule, environment, policy_id) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (org_id, session_id, rule) DO NOTHING`,
      [orgId, found.sessionId, rule, environment, found.policyId],
    )
    if (changes === 0) continue
    await tx.run(
      `INSERT INTO base_rates (org_id, environment, policy_id, rule, sessions) VALUES (?, ?, ?, ?, 1)
       ON CONFLICT (org_id, environment, policy_id, rule) DO UPDATE SET sessions = base_rates.sessions + 1`,
      [orgId, environment, found.policyId, rule],
    )
  }
}

/** Takes an interview out of the counts again. */
export const forgetInterview = async (tx: Tx, { orgId, environment }: Scope, sessionId: string): Promise<void> => {
  const counted = await tx.all<{ rule: string; policyId: string }>(
    `SELECT rule, policy_id AS "policyId" FROM session_rules WHERE org_id = ? AND environment = ? AND session_id = ?
     ORDER BY rule`,
    [orgId, environment, sessionId],
  )
  for (const { rule, policyId } of counted)
    await tx.run(
      `UPDATE base_rates SET sessions = sessions - 1
       WHERE org_id = ? AND environment = ? AND policy_id = ? AND rule = ?`,
      [orgId, environment, policyId, rule],
    )
  const where = 'org_id = ? AND environment = ? AND session_id = ?'
  await tx.run(`DELETE FROM session_rules WHERE ${where}`, [orgId, environment, sessionId])
}
