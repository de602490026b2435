import { accessActions } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { type ListedRow, pageOfAudit } from './audit.list.store.ts'

/** So many rows are read, and held, at once, and so many pages at most. */
const page = 500
const mostPages = 10

interface OfSession {
  readonly orgId: string
  readonly sessionId: string
}

/** Pages of the rows that say that something of a session was opened, newest first, as far back as anybody reads. */
export async function* openingPages(
  { reader }: Needs<'reader'>,
  { orgId, sessionId, anyAction = accessActions }: OfSession & { readonly anyAction?: readonly string[] },
): AsyncGenerator<{ readonly rows: readonly ListedRow[]; readonly isLast: boolean }> {
  const filters = { sessionId, anyAction }
  for (let n = 0; n < mostPages; n++) {
    const rows = await pageOfAudit(reader, orgId, filters, { after: undefined, skip: n * page, take: page })
    const isLast = rows.length < page
    yield { rows, isLast }
    if (isLast) return
  }
}

/** What people played of a session at full size: milliseconds since it started, without the one at `toMs`. */
export const playedByPeople = async (
  call: Needs<'reader'>,
  session: OfSession,
): Promise<{ readonly fromMs: number; readonly toMs: number }[]> => {
  const found: { fromMs: number; toMs: number }[] = []
  for await (const { rows } of openingPages(call, { ...session, anyAction: ['evidence.played'] }))
    for (const { actorKind, payload } of rows) {
      const { size, fromMs, toMs } = JSON.parse(payload ?? '{}') as Readonly<Record<string, unknown>>
      if (actorKind === 'user' && size === 'full' && typeof fromMs === 'number' && typeof toMs === 'number')
        found.push({ fromMs, toMs })
    }
  return found
}
