import { stampedView } from '../../../kernel/audit/audit.timestamp.ts'
import type { Timestamping } from './timestamps.service.ts'

export const timestampingView = ({ authority: row, stamped }: Timestamping) => ({
  version: row?.version ?? 0,
  authority: row && row.url !== null ? { url: row.url, policy: row.policy, certificates: row.certificates } : null,
  stamped: stampedView(stamped),
  problem: row?.problem ?? null,
})
