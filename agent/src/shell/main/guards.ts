import { app, type Session, session, type WebContents, type WebPreferences } from 'electron'

const partition = 'agent'
/** What a page may load: itself, and what it made. No host of the network is among them. */
const loadable = /^(?:app|blob|data|devtools):/

/** The one session of both pages: in memory, nothing cached on disk, nothing from the network, no downloads. */
export const openSession = (): Session => {
  const own = session.fromPartition(partition, { cache: false })
  own.setSpellCheckerEnabled(false)
  own.setDevicePermissionHandler(() => false)
  own.setBluetoothPairingHandler((_details, callback) => callback({ confirmed: false }))
  own.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !loadable.test(details.url) }))
  own.on('will-download', (event) => event.preventDefault())
  return own
}

const refuse = (event: { preventDefault(): void }): void => event.preventDefault()

const guard = (contents: WebContents): void => {
  contents.on('will-navigate', refuse)
  contents.on('will-frame-navigate', refuse)
  contents.on('will-redirect', refuse)
  contents.on('will-attach-webview', refuse)
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Whatever page there is or comes to be stays where this program put it, and opens nothing. */
export const guardEveryPage = (): void => {
  app.on('web-contents-created', (_event, contents) => guard(contents))
}

/** What both pages run with. A page has no Node, no remote content, and a preload as its only door. */
export const pagePreferences = (own: Session, preload: string): WebPreferences => ({
  session: own,
  preload,
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  devTools: !app.isPackaged,
  navigateOnDragDrop: false,
  spellcheck: false,
  enableWebSQL: false,
})
