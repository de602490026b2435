import { contentsPageItems } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import { iso } from '../../../kernel/time.ts'
import { downloadUrlOf, storedAfter } from '../../recording/evidence/evidence.service.ts'
import type { EvidenceRow } from '../../recording/evidence/evidence.types.ts'
import { readCopied } from './access-copy.service.ts'
import { readCoverage, readOpenings } from './openings.service.ts'
import type { Candidate } from './submitting.service.ts'

type ContentsCall = Reads & By<Candidate> & Needs<'clock' | 'config' | 'downloadKey'>

const itemOf = (call: ContentsCall, row: EvidenceRow) => ({
  id: row.id,
  evidenceType: row.evidenceType,
  contentType: row.contentType,
  capturedAt: iso(row.capturedAt),
  durationMs: row.durationMs,
  sizeBytes: row.sizeBytes,
  erasedAt: row.erasedAt === null ? null : iso(row.erasedAt),
  download: row.erasedAt === null ? downloadUrlOf(call, row.id) : null,
})

/** A page of what an approved copy holds. Throws as the download of that copy does. */
export const readContents = async (
  call: ContentsCall,
  { requestId, after }: { readonly requestId: string; readonly after: number },
) => {
  const { id } = await readCopied(call, requestId)
  const rows = await storedAfter(call, { sessionId: id, after, limit: contentsPageItems + 1 })
  const items = rows.slice(0, contentsPageItems)
  return {
    items: items.map((row) => itemOf(call, row)),
    next: rows.length > contentsPageItems ? after + contentsPageItems : null,
    overview: after > 0 ? null : { lanes: await readCoverage(call, id), ...(await readOpenings(call, id)) },
  }
}
