import { type OwnRow, type RowWithPayload, rowColumns } from '../../../kernel/audit/audit.digest.ts'
import { rowColumnsWithPayload, rowsWithPayload } from '../../../kernel/audit/audit.verify.store.ts'
import type { Reader } from '../../../platform/db/types.ts'
import {
  type digest,
  type ExportText,
  payloadsText,
  type StoredPayload,
  type TextOf,
  textOf,
} from './audit.export.view.ts'
import { type AuditFilters, equalities } from './audit.list.store.ts'

interface Stretch {
  readonly after: number
  readonly upTo: number
  readonly limit: number
}

const stretchOf = (
  columns: string,
  from: string,
  { orgId, filters, after, upTo, limit }: Stretch & { orgId: string; filters: AuditFilters },
) => {
  const { sql, params } = equalities(filters)
  const period = [
    ['at >= ?', filters.from],
    ['at < ?', filters.to],
  ].filter((pair): pair is [string, number] => pair[1] !== undefined)
  const range = period.map(([condition]) => ` AND ${condition}`).join('')
  return {
    sql: `SELECT ${columns} FROM ${from}
     WHERE a.org_id = ? AND a.seq > ? AND a.seq <= ?${sql}${range} ORDER BY a.seq LIMIT ?`,
    params: [orgId, after, upTo, ...params, ...period.map(([, value]) => value), limit],
  }
}

/** The rows with `after` < seq ≤ `upTo` that the filters match, in the order of the chain. */
export const readStretch = (
  reader: Reader,
  orgId: string,
  filters: AuditFilters,
  stretch: Stretch,
): Promise<RowWithPayload[]> => {
  const { sql, params } = stretchOf(rowColumnsWithPayload, rowsWithPayload, { ...stretch, orgId, filters })
  return reader.all<RowWithPayload>(sql, params)
}

/** Its `digest` is called where the rows are read. */
const digestModule = new URL('./audit.export.view.ts', import.meta.url)

/** The rows of the trail as lines of the export. */
export const readText = async (
  reader: Reader,
  orgId: string,
  filters: AuditFilters,
  stretch: Stretch,
): Promise<ExportText> => {
  const { after, upTo } = stretch
  const { sql, params } = stretchOf(rowColumns, 'audit_log a', { ...stretch, orgId, filters })
  const input: TextOf = { sql, params, orgId, after, upTo }
  const told = await reader.digest?.<ReturnType<typeof digest>>(digestModule, input)
  if (told) return told
  const rows = await reader.all<OwnRow>(sql, params)
  return textOf(orgId, rows, await reader.all<StoredPayload>(payloadsText, [orgId, after, upTo]))
}

export const readHash = async (reader: Reader, orgId: string, seq: number): Promise<string | undefined> =>
  (await reader.get<{ hash: string }>('SELECT hash FROM audit_log WHERE org_id = ? AND seq = ?', [orgId, seq]))?.hash
