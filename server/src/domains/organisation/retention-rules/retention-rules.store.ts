import type { Reader, Tx } from '../../../platform/db/types.ts'

/** An organisation's rules are of both environments: its id is the whole scope. */
export interface RulesRow {
  /** Null: nobody has set it. */
  readonly defaultDays: number | null
  readonly setAt: number | null
  /** 1 while the whole organisation is under legal hold. */
  readonly held: 0 | 1
}

const columns = 'default_days AS "defaultDays", set_at AS "setAt", held'
const noRules: RulesRow = { defaultDays: null, setAt: null, held: 0 }

export const findRules = async (reader: Reader, orgId: string): Promise<RulesRow> =>
  (await reader.get<RulesRow>(`SELECT ${columns} FROM retention_rules WHERE org_id = ?`, [orgId])) ?? noRules

/** The rules, unchanged by anybody else until the commit. */
export const findRulesForUpdate = async (tx: Tx, orgId: string): Promise<RulesRow> => {
  await tx.run('INSERT INTO retention_rules (org_id) VALUES (?) ON CONFLICT (org_id) DO NOTHING', [orgId])
  const sql = `SELECT ${columns} FROM retention_rules WHERE org_id = ?${tx.forUpdate}`
  return (await tx.get<RulesRow>(sql, [orgId])) ?? noRules
}

/** Call with the rules locked. */
export const updateDefault = async (tx: Tx, orgId: string, days: number, at: number): Promise<void> => {
  await tx.run('UPDATE retention_rules SET default_days = ?, set_at = ? WHERE org_id = ?', [days, at, orgId])
}

/** Call with the rules locked. */
export const updateHeld = async (tx: Tx, orgId: string, held: 0 | 1): Promise<void> => {
  await tx.run('UPDATE retention_rules SET held = ? WHERE org_id = ?', [held, orgId])
}
