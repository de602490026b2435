import { rowHash } from '../../../kernel/audit/audit.chain.ts'
import { readLastCheckpoint } from '../../../kernel/audit/audit.checkpoint.store.ts'
import {
  checkpointKey,
  checkpointVerifierKey,
  signCheckpoint,
  verifyCheckpoint,
} from '../../../kernel/audit/audit.checkpoint.ts'
import { chained, type OwnRow } from '../../../kernel/audit/audit.digest.ts'
import { newestStamped, stampedView } from '../../../kernel/audit/audit.timestamp.ts'
import { type ChainHead, readHead } from '../../../kernel/audit/audit.verify.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import type { WholeContent } from '../../../kernel/content.ts'
import { readHash, readText } from './audit.export.store.ts'
import type { ExportText } from './audit.export.view.ts'
import { type AuditQuery, filtersOf, isUnfiltered } from './audit.list.service.ts'

/** So many rows are read, and held, at once. */
const pageRows = 2000
/** Read at once, and while the one before is sent: several threads may read. */
const pagesAhead = 4
/** So many rows of the chain are looked at for one export with filters, which then says where the next one begins. */
const lookedAt = 1_000_000

type ExportCall = Needs<'reader' | 'keyring'>

/** Whether the newest kept checkpoint states this chain. One that was written again is not signed once more. */
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
  const whole = isUnfiltered(filters)
  const ahead: Promise<ExportText>[] = []
  let asked = query.afterSeq
  let left = query.limit
  let last: OwnRow | undefined
  const ask = (): void => {
    const next = Math.min(asked + pageRows, upTo)
    const page = readText(call.reader, orgId, filters, { after: asked, upTo: next, limit: left })
    // A receiver that went away no longer waits for it.
    page.catch(() => undefined)
    ahead.push(page)
    asked = next
  }
  // Of a stretch with filters nobody knows before how many rows it has, and so how many the next one may have.
  const askMore = (): void => {
    while (left > 0 && asked < upTo && ahead.length < (whole ? pagesAhead : 1)) ask()
  }
  askMore()
  for (let next = ahead.shift(); next; next = ahead.shift()) {
    const page = await next
    last = page.last ?? last
    left -= page.rows
    askMore()
    yield page.text
  }
  const after = left === 0 && last ? last.seq : asked
  const shown = whole ? last : undefined
  const stated = shown ? { seq: shown.seq, hash: shown.hash } : head
  const holds = !shown || rowHash(chained({ ...shown, orgId })) === shown.hash
  const { privateKey, publicKey } = checkpointKey(call.keyring)
  const signed = stated.seq > 0 && holds && (await agrees(call, orgId))
  yield `${JSON.stringify({
    type: 'end',
    nextAfterSeq: after < head.seq ? after : null,
    checkpoint: signed ? signCheckpoint({ privateKey, publicKey }, orgId, stated) : null,
    verifierKey: checkpointVerifierKey(publicKey, orgId),
    timestamp: stampedView(await newestStamped(call.reader, orgId, stated.seq)),
  })}\n`
}

/** A part of the chain as a file of lines, up to the row that was the last one when it began. */
export const exportAudit = async (
  call: ExportCall & Needs<'db' | 'audit'>,
  { orgId, query }: { readonly orgId: string; readonly query: AuditQuery & Wanted },
): Promise<WholeContent> => {
  await call.db.transact((tx) => call.audit.sign(tx, orgId))
  const head = (await readHead(call.reader, orgId)) ?? { seq: 0, hash: '' }
  const whole = isUnfiltered(filtersOf(query))
  const upTo = Math.min(head.seq, query.afterSeq + (whole ? query.limit : lookedAt))
  return {
    contentType: 'application/x-ndjson',
    fileName: 'audit.ndjson',
    ...(whole && upTo < head.seq && { headers: { 'X-Service-Next-After-Seq': String(upTo) } }),
    body: lines(call, orgId, query, { head, upTo }),
  }
}
