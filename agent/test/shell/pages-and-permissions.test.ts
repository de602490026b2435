import { afterEach, describe, expect, it, vi } from 'vitest'
import { BrowserWindow, electron, emitPreventable, FakeContents } from './fake-electron.ts'
import { type RunningShell, runShell } from './running-shell.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

let shell: RunningShell
afterEach(() => shell.stop())

const fetchPage = (url: string, method = 'GET'): Promise<Response> => shell.session.pages!(new Request(url, { method }))

/** The capture page's window, opened the way the web drivers do. */
const openCapturePage = async (): Promise<BrowserWindow> => {
  await shell.core.options!.ports.capturePage.current()
  return electron.windows[1]!
}

describe('the app:// pages', () => {
  it('are served with a strict policy, a type, and no guessing of types', async () => {
    shell = await runShell()
    for (const page of ['window', 'capture']) {
      const answer = await fetchPage(`app://${page}/index.html`)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('<title>page</title>')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      for (const rule of ["connect-src 'none'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
        expect(policy).toContain(rule)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    const script = await fetchPage('app://window/assets/index.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it.each([
    'app://window/',
    'app://window/missing.js',
    'app://window/assets/index.js.map',
    'app://window/../secret.js',
    'app://window/%2e%2e/secret.js',
    'app://window/..%5csecret.js',
    'app://window/assets/../../secret.js',
    'app://window/index.html?x',
    'app://elsewhere/index.html',
    'app://window//etc/passwd',
  ])('are those of the build and nothing else: %s', async (url) => {
    shell = await runShell()
    expect((await fetchPage(url)).status).toBe(404)
  })

  it('can only be read', async () => {
    shell = await runShell()
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await fetchPage('app://window/index.html', method)).status).toBe(405)
  })
})

describe('any page', () => {
  it('stays where it is: no navigation, redirect, frame or webview', async () => {
    shell = await runShell()
    for (const { webContents } of [shell.window, await openCapturePage()]) {
      for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])
        expect(emitPreventable(webContents, event, 'https://example.org').defaultPrevented, event).toBe(true)
    }
  })

  it('opens no window, whatever the address', async () => {
    shell = await runShell()
    for (const { webContents } of [shell.window, await openCapturePage(), new BrowserWindow({ webPreferences: {} })]) {
      for (const url of ['https://example.org', 'about:blank', 'app://window/index.html', 'file:///etc/passwd'])
        expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' })
    }
    expect(electron.opened).toEqual([])
  })
})

describe('permissions', () => {
  const requested = (
    contents: FakeContents,
    permission: string,
    requestingUrl: string,
    isMainFrame = true,
  ): boolean => {
    let given: boolean | undefined
    const answer = (granted: boolean): void => {
      given = granted
    }
    shell.session.permissionRequest?.(contents, permission, answer, { requestingUrl, isMainFrame })
    expect(given).toBeDefined()
    return given!
  }
  const checked = (contents: FakeContents | null, permission: string, origin: string, isMainFrame = true): boolean =>
    shell.session.permissionCheck!(contents, permission, origin, { requestingUrl: `${origin}/index.html`, isMainFrame })
  const page = 'app://capture/index.html'

  it('are given to our capture page, for devices and displays alone', async () => {
    shell = await runShell()
    const { webContents } = await openCapturePage()
    for (const permission of ['media', 'display-capture']) {
      expect(requested(webContents, permission, page)).toBe(true)
      expect(checked(webContents, permission, 'app://capture')).toBe(true)
    }
    const others = [
      'geolocation',
      'notifications',
      'clipboard-read',
      'fileSystem',
      'openExternal',
      'hid',
      'serial',
      'usb',
      'midi',
      'fullscreen',
      'idle-detection',
      'speaker-selection',
      'unknown',
    ]
    for (const permission of others) {
      expect(requested(webContents, permission, page), permission).toBe(false)
      expect(checked(webContents, permission, 'app://capture'), permission).toBe(false)
    }
    expect(shell.session.devicePermission?.()).toBe(false)
  })

  it('are not given to the window, to a foreign page, to a frame, or to nobody', async () => {
    shell = await runShell()
    const { webContents } = await openCapturePage()
    expect(requested(shell.window.webContents, 'media', 'app://window/index.html')).toBe(false)
    expect(requested(shell.window.webContents, 'media', page)).toBe(false)
    expect(requested(new FakeContents(), 'media', page)).toBe(false)
    expect(requested(webContents, 'media', 'https://example.org/')).toBe(false)
    expect(requested(webContents, 'media', 'app://capture.example.org/index.html')).toBe(false)
    expect(requested(webContents, 'media', page, false)).toBe(false)
    expect(checked(shell.window.webContents, 'media', 'app://window')).toBe(false)
    expect(checked(null, 'media', 'app://capture')).toBe(false)
    expect(checked(webContents, 'media', 'app://capture', false)).toBe(false)
  })

  it('are given to nobody while there is no capture page, and not to one that is gone', async () => {
    shell = await runShell()
    expect(requested(new FakeContents(), 'media', page)).toBe(false)
    const { webContents } = await openCapturePage()
    webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(requested(webContents, 'media', page)).toBe(false)
  })
})
