import { BrowserWindow, MessageChannelMain, type Session, screen, type WebContents } from 'electron'
import { portPage } from '../../machine/page/message-port.ts'
import { portGreeting } from '../../machine/page/messages.ts'
import type { CapturePage, CapturePages, PageDisplay } from '../../machine/page/page-port.ts'
import type { WantedDisplay } from './display-media.ts'
import { DisplayTurns } from './display-turns.ts'
import { pagePreferences } from './guards.ts'
import { pageUrl } from './pages.ts'

export interface CapturePageOptions {
  readonly session: Session
  readonly preload: string
  readonly onTrouble: (trouble: string) => void
}

/** The hidden page as its guards see it. */
export interface ShellCapturePages extends CapturePages {
  /** The page's contents while there is a page. */
  readonly contents: WebContents | undefined
  /** What the command that the page carries out now may record. */
  readonly wantedDisplay: WantedDisplay | undefined
}

interface Living {
  readonly window: BrowserWindow
  readonly turns: DisplayTurns
  readonly page: Promise<CapturePage>
}

const openHidden = ({ session, preload }: CapturePageOptions): BrowserWindow =>
  new BrowserWindow({
    show: false,
    width: 320,
    height: 240,
    skipTaskbar: true,
    title: 'Interview Integrity: capture',
    webPreferences: {
      ...pagePreferences(session, preload),
      // A hidden page is slowed down otherwise, and recording is not something to slow down.
      backgroundThrottling: false,
      // Nobody clicks in a hidden page: it is asked by the candidate's consent, and each request passes display-media.ts.
      disableBlinkFeatures: 'GetDisplayMediaRequiresUserActivation',
      autoplayPolicy: 'no-user-gesture-required',
    },
  })

/** There a display is picked in a dialogue of the desktop: one, and nobody else knows which. */
export const picksDisplays = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean =>
  platform === 'linux' && (env['XDG_SESSION_TYPE'] === 'wayland' || Boolean(env['WAYLAND_DISPLAY']))

const displaysInPixels = async (): Promise<PageDisplay[]> =>
  screen.getAllDisplays().map(({ id, size, scaleFactor }) => ({
    id: String(id),
    width: Math.round(size.width * scaleFactor),
    height: Math.round(size.height * scaleFactor),
  }))

/**
 * The hidden page that records by the browser's means. It is opened when it is first asked for, and again after it
 * crashed; each document has a message port of its own.
 */
export const createCapturePage = (options: CapturePageOptions): ShellCapturePages => {
  let living: Living | undefined

  const open = (): Living => {
    const window = openHidden(options)
    const turns = new DisplayTurns()
    const gone = Promise.withResolvers<void>()
    const end = (why: string): void => {
      if (living?.window === window) living = undefined
      gone.resolve()
      options.onTrouble(`The capture page ended: ${why}`)
      if (!window.isDestroyed()) window.destroy()
    }
    window.webContents.once('render-process-gone', (_event, { reason }) => end(reason))
    window.once('closed', () => {
      if (living?.window === window) living = undefined
      gone.resolve()
    })
    const load = async (): Promise<CapturePage> => {
      try {
        await window.loadURL(pageUrl('capture'))
      } catch (error) {
        end(String(error))
        throw error
      }
      const { port1, port2 } = new MessageChannelMain()
      window.webContents.postMessage(portGreeting, null, [port2])
      const page = portPage(port1)
      const closed = Promise.race([page.closed, gone.promise])
      return turns.inTurn({ ...page, closed })
    }
    return { window, turns, page: load() }
  }

  return {
    current() {
      living ??= open()
      return living.page
    },
    ...(picksDisplays(process.platform, process.env) ? {} : { displays: displaysInPixels }),
    get contents() {
      return living && !living.window.isDestroyed() ? living.window.webContents : undefined
    },
    get wantedDisplay() {
      return living?.turns.wanted
    },
  }
}
