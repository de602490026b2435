import type { StampedCheckpoint, Timestamping } from './timestamps.service.ts'

/** A time stamp with its checkpoint, as it is answered and exported. */
export const stampedView = (stamped: StampedCheckpoint | undefined) =>
  stamped
    ? {
        rows: stamped.size,
        at: new Date(stamped.stampedAt).toISOString(),
        authority: stamped.authority,
        checkpoint: stamped.checkpoint,
        token: stamped.token,
      }
    : null

export const timestampingView = ({ authority: row, stamped }: Timestamping) => ({
  authority: row && row.url !== null ? { url: row.url, policy: row.policy, certificates: row.certificates } : null,
  stamped: stampedView(stamped),
  problem: row?.problem ?? null,
})
