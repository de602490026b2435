import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { notBuilt } from './not-built.ts'
import { definePage, forever, type Page } from './page.ts'
import { assetHeaders, deskPage, linkPage, pageOf } from './room-pages.ts'

/** Where `scripts/build-clients.ts` puts the client. */
const deskFolder = path.resolve(import.meta.dirname, '../../../../desk/dist')

/** The scripts of its rooms, by their address; their names hold the hash of their content. */
const scriptsIn = (folder: string): ReadonlyMap<string, Page> =>
  new Map(
    readdirSync(folder).map((name) => {
      const bytes = readFileSync(path.join(folder, name))
      const page = definePage({ type: 'text/javascript', bytes, cacheControl: forever, headers: assetHeaders })
      return [`/desk/assets/${name}`, page]
    }),
  )

/**
 * The browser client of an organisation's people: their account, and the desk, whose one page finds out by its address what
 * it is to show and loads the room of it. So each address beneath `/desk/` has a page, and none answers JSON. Throws
 * `service_unavailable` when it was not built.
 */
export const deskPages = (folder = deskFolder): { get(path: string): Page | undefined } => {
  const read = (file: string, rules: typeof deskPage, ...ownScripts: string[]): Page =>
    pageOf(readFileSync(path.join(folder, file)), rules, ...ownScripts)
  try {
    const [desk, account] = [read('index.html', deskPage, "'self'"), read('account.html', linkPage)]
    const scripts = scriptsIn(path.join(folder, 'assets'))
    return {
      get(address) {
        if (address === '/account/') return account
        if (address.startsWith('/desk/assets/')) return scripts.get(address)
        return address.startsWith('/desk/') ? desk : undefined
      },
    }
  } catch (cause) {
    throw notBuilt(cause)
  }
}
