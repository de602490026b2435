import { insertCheckpoint, movedHeadsOfAllOrgs, readLastCheckpoint } from '../../kernel/audit/audit.checkpoint.store.ts'
import { checkpointKey, checkpointVerifierKey, signCheckpoint } from '../../kernel/audit/audit.checkpoint.ts'
import { type ChainFailure, type ChainReport, verifyChain } from '../../kernel/audit/audit.verify.ts'
import type { Needs } from '../../kernel/call.ts'
import type { Parts } from '../../kernel/parts.ts'

const wireFailure = ({ seq, reason }: { seq: number; reason: ChainFailure }) => ({
  seq,
  reason: reason === 'payload_altered' ? ('altered' as const) : reason,
})

/** What this domain needs of the context. */
export type AuditParts = Pick<Parts, 'db' | 'keyring' | 'seal' | 'clock'>

/** How many organisations' heads are signed in one transaction. */
const headsAtOnce = 200

/** What this server checks a chain with. */
export const chainKeys = ({ seal, keyring }: Pick<Parts, 'seal' | 'keyring'>) => ({
  seal,
  checkpointKey: checkpointKey(keyring).publicKey,
})

/** Verifies an organisation's chain with everything this server can check. Throws when there is no such organisation. */
export const verifyAudit = (
  app: AuditParts,
  orgId: string,
  options: { pageSize?: number } = {},
): Promise<ChainReport> => verifyChain(app.db.reader, orgId, { ...options, ...chainKeys(app) })

/** Of one read by people: others have their turn on this thread between two pages. */
const pageOfReport = 500

/** The same for people, who may keep the newest checkpoint outside of this server. */
export const reportChain = async (call: Needs<'reader' | 'keyring' | 'seal' | 'verifications'>, orgId: string) => {
  const { publicKey } = checkpointKey(call.keyring)
  const report = await call.verifications.run(orgId, () =>
    verifyChain(call.reader, orgId, { pageSize: pageOfReport, ...chainKeys(call) }),
  )
  const checkpoint = await readLastCheckpoint(call.reader, orgId)
  const { ok, rows, head } = report
  return {
    ...{ ok, rows, head, verifierKey: checkpointVerifierKey(publicKey, orgId) },
    ...(checkpoint && { checkpoint: checkpoint.note }),
    ...(!report.ok && { firstBad: wireFailure(report.firstFailure) }),
  }
}

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
