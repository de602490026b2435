import type { RowWithPayload } from '../../kernel/audit/audit.digest.ts'
import { rowColumnsWithPayload, rowsWithPayload } from '../../kernel/audit/audit.verify.store.ts'
import type { Reader } from '../../platform/db/types.ts'
import { type AuditFilters, equalities } from './audit.list.store.ts'

/** The rows with `after` < seq ≤ `upTo` that the filters match, in the order of the chain. */
export const readStretch = (
  reader: Reader,
  orgId: string,
  filters: AuditFilters,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<RowWithPayload[]> => {
  const { sql, params } = equalities(filters)
  const period = [
    ['at >= ?', filters.from],
    ['at < ?', filters.to],
  ].filter((pair): pair is [string, number] => pair[1] !== undefined)
  const range = period.map(([condition]) => ` AND ${condition}`).join('')
  return reader.all<RowWithPayload>(
    `SELECT ${rowColumnsWithPayload} FROM ${rowsWithPayload}
     WHERE a.org_id = ? AND a.seq > ? AND a.seq <= ?${sql}${range} ORDER BY a.seq LIMIT ?`,
    [orgId, after, upTo, ...params, ...period.map(([, value]) => value), limit],
  )
}

export const readHash = async (reader: Reader, orgId: string, seq: number): Promise<string | undefined> =>
  (await reader.get<{ hash: string }>('SELECT hash FROM audit_log WHERE org_id = ? AND seq = ?', [orgId, seq]))?.hash
