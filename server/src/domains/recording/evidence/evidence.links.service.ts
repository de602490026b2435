import type { Reads } from '../../../kernel/call.ts'
import { type CaptureLink, listCaptureLinks } from './evidence.chain.store.ts'

const pageRows = 2000

/**
 * What machines signed of a session, tombstones too, page by page: key by key, each in the order of its sequence. The
 * caller has found the session.
 */
export async function* captureLinkPages(call: Reads, sessionId: string): AsyncGenerator<CaptureLink[]> {
  let after: CaptureLink | undefined
  for (;;) {
    const page = await listCaptureLinks(call.reader, call.scope, sessionId, { after, limit: pageRows })
    yield page
    if (page.length < pageRows) return
    after = page.at(-1)
  }
}
