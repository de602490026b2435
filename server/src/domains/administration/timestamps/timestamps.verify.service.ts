import { readCheckpoints, type StoredCheckpoint } from '../../../kernel/audit/audit.checkpoint.store.ts'
import { listTimestamps, type TimestampRow } from '../../../kernel/audit/audit.timestamp.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import { loadTimestamps, type Timestamps } from '../../../platform/timestamps/load-timestamps.ts'
import { type TimestampFault, TimestampRejected } from '../../../platform/timestamps/timestamp-fault.ts'
import { imprintOf } from './stamping.service.ts'
import { findAuthority } from './timestamps.store.ts'

export interface TimestampFinding {
  /** Rows that the checkpoint covers. */
  readonly rows: number
  readonly fault: TimestampFault | 'no_checkpoint' | 'other_time'
}

export interface TimestampReport {
  readonly checkpoints: number
  /** Checkpoints with a time stamp that holds. */
  readonly stamped: number
  /** Checkpoints that nobody stamped. */
  readonly without: number
  /** The newest that holds; `at` in ISO 8601. */
  readonly newest?: { readonly rows: number; readonly at: string; readonly authority: string }
  readonly findings: readonly TimestampFinding[]
}

const pageRows = 500

type Verify = (token: Buffer, hash: Buffer) => ReturnType<Timestamps['verifyTimestamp']>

const faultOf = (
  row: TimestampRow,
  checkpoint: StoredCheckpoint | undefined,
  verify: Verify,
): TimestampFinding['fault'] | undefined => {
  if (checkpoint?.size !== row.size) return 'no_checkpoint'
  try {
    const { at } = verify(Buffer.from(row.token, 'base64'), imprintOf(checkpoint.note))
    return at === row.stampedAt ? undefined : 'other_time'
  } catch (error) {
    if (error instanceof TimestampRejected) return error.fault
    throw error
  }
}

async function* stampedOnes(call: Needs<'reader'>, orgId: string): AsyncGenerator<TimestampRow> {
  for (let after = 0; ; ) {
    const page = await listTimestamps(call.reader, orgId, { after, limit: pageRows })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    after = last.size
  }
}

const countCheckpoints = async ({ reader }: Needs<'reader'>, orgId: string): Promise<number> => {
  for (let after = 0, count = 0; ; ) {
    const page = await readCheckpoints(reader, orgId, { after, upTo: Number.MAX_SAFE_INTEGER, limit: pageRows })
    count += page.length
    const last = page.at(-1)
    if (!last || page.length < pageRows) return count
    after = last.size
  }
}

/**
 * Holds every kept time stamp against its checkpoint. `certificates`, in PEM, are those that the authority's must lead to:
 * without them those of the settings, else what Node.js trusts.
 */
export const verifyTimestamps = async (
  call: Needs<'reader'>,
  { orgId, certificates }: { readonly orgId: string; readonly certificates?: string | undefined },
): Promise<TimestampReport> => {
  const { anchorsOf, verifyTimestamp } = await loadTimestamps()
  const anchors = anchorsOf(certificates ?? (await findAuthority(call.reader, orgId))?.certificates ?? null)
  const verify: Verify = (token, hash) => verifyTimestamp(token, { hash, anchors })
  const findings: TimestampFinding[] = []
  let newest: TimestampReport['newest']
  let seen = 0
  let stamped = 0
  for await (const row of stampedOnes(call, orgId)) {
    const { size: rows } = row
    const [checkpoint] = await readCheckpoints(call.reader, orgId, { after: rows - 1, upTo: rows, limit: 1 })
    if (checkpoint) seen += 1
    const fault = faultOf(row, checkpoint, verify)
    if (fault) {
      findings.push({ rows, fault })
      continue
    }
    stamped += 1
    newest = { rows, at: new Date(row.stampedAt).toISOString(), authority: row.authority }
  }
  const checkpoints = await countCheckpoints(call, orgId)
  return { checkpoints, stamped, without: checkpoints - seen, ...(newest && { newest }), findings }
}
