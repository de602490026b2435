import { shell } from 'electron'
import { requestsPath } from '../../core/session/requests-address.ts'
import type { BrowserPort } from '../../desktop/desktop-agent.types.ts'

/**
 * The candidate's own browser, for the one kind of page that this program leads to; anything else is refused. The core
 * makes the address from the session's own server. On Linux it becomes an argument of `xdg-open`, which other accounts of
 * the computer can read for that moment. Not run in a real Electron.
 */
export const openBrowser: BrowserPort = {
  async open(address) {
    const { protocol, pathname, username, password } = new URL(address)
    const isWeb = protocol === 'https:' || protocol === 'http:'
    if (!isWeb || !pathname.endsWith(requestsPath) || username !== '' || password !== '') throw new Error('refused')
    await shell.openExternal(address)
  },
}
