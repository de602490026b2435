import type { Timestamping } from './timestamps.service.ts'

export const timestampingView = ({ authority: row, stamped }: Timestamping) => ({
  authority: row && row.url !== null ? { url: row.url, policy: row.policy, certificates: row.certificates } : null,
  stamped: stamped
    ? {
        rows: stamped.size,
        at: new Date(stamped.stampedAt).toISOString(),
        authority: stamped.authority,
        checkpoint: stamped.checkpoint,
        token: stamped.token,
      }
    : null,
  problem: row?.problem ?? null,
})
