import type { KeyObject } from 'node:crypto'
import { movedChainsOfAllOrgs, readLastCheckpoint } from '../../../kernel/audit/audit.checkpoint.store.ts'
import { checkpointKey, checkpointVerifierKey } from '../../../kernel/audit/audit.checkpoint.ts'
import { verifyChain } from '../../../kernel/audit/audit.verify.ts'
import type { ChainFailure, ChainReport, VerifyOptions } from '../../../kernel/audit/audit.verify.types.ts'
import type { Needs } from '../../../kernel/call.ts'
import type { Parts } from '../../../kernel/parts.ts'

const wireFailure = ({ seq, reason }: { seq: number; reason: ChainFailure }) => ({
  seq,
  reason: reason === 'payload_altered' ? ('altered' as const) : reason,
})

/** What this domain needs of the context. */
export type AuditParts = Pick<Parts, 'db' | 'keyring' | 'seal' | 'clock'>

/** How many organisations are listed at once. */
const headsAtOnce = 200

/** What this server checks a chain with. */
const chainKeys = (
  { seal, keyring, clock }: Pick<Parts, 'seal' | 'keyring' | 'clock'>,
  earlier: readonly KeyObject[] = [],
) => ({ seal, checkpointKeys: [checkpointKey(keyring).publicKey, ...earlier], now: clock.now() })

/** Verifies an organisation's chain with everything this server can check. Throws when there is no such organisation. */
export const verifyAudit = (
  app: AuditParts,
  {
    orgId,
    earlierKeys = [],
    ...options
  }: { readonly orgId: string } & Pick<VerifyOptions, 'pageSize' | 'visit'> & { earlierKeys?: readonly KeyObject[] },
): Promise<ChainReport> =>
  verifyChain(
    app.db.longReader(orgId, () => undefined),
    orgId,
    { ...options, ...chainKeys(app, earlierKeys) },
  )

/** Of one read by people: others have their turn between two pages, on this thread and on those that read. */
const pageOfReport = 500
const digestOfReport = 2000

/** The same for people, who may keep the newest checkpoint outside of this server. */
export const reportChain = async (
  call: Needs<'reader' | 'keyring' | 'seal' | 'clock' | 'verifications'>,
  orgId: string,
) => {
  const { publicKey } = checkpointKey(call.keyring)
  const report = await call.verifications.run(orgId, () =>
    verifyChain(call.reader, orgId, { pageSize: pageOfReport, digestRows: digestOfReport, ...chainKeys(call) }),
  )
  const checkpoint = await readLastCheckpoint(call.reader, orgId)
  const { ok, rows, head } = report
  return {
    ok,
    rows,
    head,
    verifierKey: checkpointVerifierKey(publicKey, orgId),
    ...(checkpoint && { checkpoint: checkpoint.note }),
    ...(!report.ok && { firstBad: wireFailure(report.firstFailure) }),
  }
}

/** Signs the head of every chain that moved since its last checkpoint, or that never had one; returns how many. */
export const signMovedHeads = async (
  app: Pick<Parts, 'db' | 'audit'>,
  { neverSigned = false, signal }: { neverSigned?: boolean; signal?: AbortSignal } = {},
): Promise<number> => {
  let after = ''
  let signed = 0
  for (;;) {
    signal?.throwIfAborted()
    const orgIds = await movedChainsOfAllOrgs(app.db.reader, { after, limit: headsAtOnce, neverSigned })
    const last = orgIds.at(-1)
    if (last === undefined) return signed
    for (const orgId of orgIds) await app.db.transact((tx) => app.audit.sign(tx, orgId))
    signed += orgIds.length
    after = last
  }
}
