import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from './page.ts'
import { deskPage, linkPage, notBuilt, pageOf } from './room-pages.ts'

/** Where `scripts/build-clients.ts` puts the client. */
const deskFolder = path.resolve(import.meta.dirname, '../../../../desk/dist')

/**
 * The browser client of an organisation's people: their account, and the desk, whose one page finds out by its address what
 * it is to show. So each address beneath `/desk/` has a page, and none answers JSON. Throws `service_unavailable` when it
 * was not built.
 */
export const deskPages = (folder = deskFolder): { get(path: string): Page | undefined } => {
  const read = (file: string, rules: typeof deskPage): Page => pageOf(readFileSync(path.join(folder, file)), rules)
  try {
    const [desk, account] = [read('index.html', deskPage), read('account.html', linkPage)]
    return {
      get(address) {
        if (address === '/account/') return account
        return address.startsWith('/desk/') ? desk : undefined
      },
    }
  } catch (cause) {
    throw notBuilt(cause)
  }
}
