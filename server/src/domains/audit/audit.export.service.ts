import { canonicalRow, rowHash } from '../../kernel/audit/audit.chain.ts'
import { readLastCheckpoint } from '../../kernel/audit/audit.checkpoint.store.ts'
import {
  checkpointKey,
  checkpointVerifierKey,
  signCheckpoint,
  verifyCheckpoint,
} from '../../kernel/audit/audit.checkpoint.ts'
import { chained, type RowWithPayload } from '../../kernel/audit/audit.digest.ts'
import { type ChainHead, readHead } from '../../kernel/audit/audit.verify.store.ts'
import type { Needs } from '../../kernel/call.ts'
import type { WholeContent } from '../../kernel/content.ts'
import { readHash, readStretch } from './audit.export.store.ts'
import { type AuditQuery, filtersOf, isUnfiltered } from './audit.list.service.ts'

/** So many rows are read, and held, at once. */
const PAGE = 500
/** So many rows of the chain are looked at for one export with filters, which then says where the next one begins. */
const LOOKED_AT = 1_000_000

/** The row stands there as it was hashed, and its payload as it was salted: both are canonical already. */
const lineOf = (row: RowWithPayload): string => {
  const beside =
    row.payload === null || row.salt === null ? '' : `,"payload":${row.payload},"salt":${JSON.stringify(row.salt)}`
  return `{"type":"row","row":${canonicalRow(chained(row))}${beside}}\n`
}

type ExportCall = Needs<'reader' | 'keyring'>

/** Whether the newest kept checkpoint states this chain. One that was written anew is not signed once more. */
const agrees = async ({ reader, keyring }: ExportCall, orgId: string): Promise<boolean> => {
  const kept = await readLastCheckpoint(reader, orgId)
  if (!kept) return true
  const reading = verifyCheckpoint([checkpointKey(keyring).publicKey], orgId, kept.note)
  return reading.status !== 'invalid' && reading.head.hash === (await readHash(reader, orgId, reading.head.seq))
}

/** The end of the chain as it stands, signed; without a signature where it contradicts what was signed before. */
export const signedHead = async (call: ExportCall, orgId: string) => {
  const head = await readHead(call.reader, orgId)
  const { privateKey, publicKey } = checkpointKey(call.keyring)
  const signed = head !== undefined && head.seq > 0 && (await agrees(call, orgId))
  return {
    checkpoint: signed ? signCheckpoint({ privateKey, publicKey }, orgId, head) : null,
    verifierKey: checkpointVerifierKey(publicKey, orgId),
  }
}

interface Wanted {
  readonly afterSeq: number
  readonly limit: number
}

async function* lines(
  call: ExportCall,
  orgId: string,
  query: AuditQuery & Wanted,
  { head, upTo }: { head: ChainHead; upTo: number },
): AsyncGenerator<string> {
  const filters = filtersOf(query)
  let after = query.afterSeq
  let left = query.limit
  let last: RowWithPayload | undefined
  while (left > 0 && after < upTo) {
    const end = Math.min(after + PAGE, upTo)
    const rows = await readStretch(call.reader, orgId, filters, { after, upTo: end, limit: left })
    last = rows.at(-1) ?? last
    left -= rows.length
    after = left === 0 && last ? last.seq : end
    yield rows.map(lineOf).join('')
  }
  const shown = isUnfiltered(filters) ? last : undefined
  const stated = shown ? { seq: shown.seq, hash: shown.hash } : head
  const holds = !shown || rowHash(chained(shown)) === shown.hash
  const { privateKey, publicKey } = checkpointKey(call.keyring)
  const signed = stated.seq > 0 && holds && (await agrees(call, orgId))
  yield `${JSON.stringify({
    type: 'end',
    nextAfterSeq: after < head.seq ? after : null,
    checkpoint: signed ? signCheckpoint({ privateKey, publicKey }, orgId, stated) : null,
    verifierKey: checkpointVerifierKey(publicKey, orgId),
  })}\n`
}

/** A part of the chain as a file of lines, up to the row that was the last one when it began. */
export const exportAudit = async (
  call: ExportCall & Needs<'db' | 'audit'>,
  orgId: string,
  query: AuditQuery & Wanted,
): Promise<WholeContent> => {
  await call.db.transact((tx) => call.audit.sign(tx, orgId))
  const head = (await readHead(call.reader, orgId)) ?? { seq: 0, hash: '' }
  const whole = isUnfiltered(filtersOf(query))
  const upTo = Math.min(head.seq, query.afterSeq + (whole ? query.limit : LOOKED_AT))
  return {
    contentType: 'application/x-ndjson',
    fileName: 'audit.ndjson',
    ...(whole && upTo < head.seq && { headers: { 'X-Service-Next-After-Seq': String(upTo) } }),
    body: lines(call, orgId, query, { head, upTo }),
  }
}
