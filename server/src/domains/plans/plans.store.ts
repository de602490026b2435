import type { PlanName } from '@integrity/protocol'
import type { Reader, Tx } from '../../platform/db/types.ts'

/** A plan is of both environments: the organisation's id is the whole scope. */
export const findPlan = async (reader: Reader, orgId: string): Promise<PlanName | undefined> =>
  (await reader.get<{ plan: PlanName }>('SELECT plan FROM org_plans WHERE org_id = ?', [orgId]))?.plan

export const savePlan = async (tx: Tx, orgId: string, plan: PlanName): Promise<void> => {
  const sql =
    'INSERT INTO org_plans (org_id, plan) VALUES (?, ?) ON CONFLICT (org_id) DO UPDATE SET plan = excluded.plan'
  await tx.run(sql, [orgId, plan])
}
