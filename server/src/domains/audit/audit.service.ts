import { insertCheckpoint, movedHeadsOfAllOrgs } from '../../kernel/audit/audit.checkpoint.store.ts'
import { checkpointKey, signCheckpoint } from '../../kernel/audit/audit.checkpoint.ts'
import { type ChainReport, verifyChain } from '../../kernel/audit/audit.verify.ts'
import type { Parts } from '../../kernel/parts.ts'

/** What this domain needs of the context. */
export type AuditParts = Pick<Parts, 'db' | 'keyring' | 'clock'>

/** How many organisations' heads are signed in one transaction. */
const headsAtOnce = 200

/** Verifies an organisation's chain with everything this server can check. Throws when there is no such organisation. */
export const verifyAudit = (
  app: AuditParts,
  orgId: string,
  options: { pageSize?: number } = {},
): Promise<ChainReport> =>
  verifyChain(app.db.reader, orgId, { ...options, checkpointKey: checkpointKey(app.keyring).publicKey })

/** Signs the head of every chain that moved since its last checkpoint; returns how many. */
export const signMovedHeads = async (app: AuditParts, signal?: AbortSignal): Promise<number> => {
  const key = checkpointKey(app.keyring)
  let after = ''
  let signed = 0
  for (;;) {
    signal?.throwIfAborted()
    const heads = await movedHeadsOfAllOrgs(app.db.reader, { after, limit: headsAtOnce })
    const last = heads.at(-1)
    if (!last) return signed
    const at = app.clock.now()
    const notes = heads.map((head) => ({
      orgId: head.orgId,
      size: head.seq,
      note: signCheckpoint(key, head.orgId, head),
      at,
    }))
    await app.db.transact(async (tx) => {
      for (const { orgId, ...checkpoint } of notes) await insertCheckpoint(tx, orgId, checkpoint)
    })
    signed += heads.length
    after = last.orgId
  }
}
