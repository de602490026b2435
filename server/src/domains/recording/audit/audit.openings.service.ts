import { accessActions } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { type ListedRow, pageOfAudit } from './audit.list.store.ts'

/** So many rows are read, and held, at once, and so many pages at most. */
const page = 500
const mostPages = 10

/** Pages of the rows that say that something of a session was opened, newest first, as far back as anybody reads. */
export async function* openingPages(
  { reader }: Needs<'reader'>,
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
): AsyncGenerator<{ readonly rows: readonly ListedRow[]; readonly isLast: boolean }> {
  const filters = { sessionId, anyAction: accessActions }
  for (let n = 0; n < mostPages; n++) {
    const rows = await pageOfAudit(reader, orgId, filters, { after: undefined, skip: n * page, take: page })
    const isLast = rows.length < page
    yield { rows, isLast }
    if (isLast) return
  }
}
