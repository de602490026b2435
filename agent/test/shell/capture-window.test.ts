import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PageCommand, StreamSource } from '../../src/machine/page/messages.ts'
import type { CapturePage } from '../../src/machine/page/page-port.ts'
import { picksDisplays } from '../../src/shell/main/capture-window.ts'
import { until } from '../test-support/until.ts'
import { type BrowserWindow, electron, type FakePort } from './fake-electron.ts'
import { type RunningShell, runShell } from './running-shell.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

let shell: RunningShell
afterEach(() => shell.stop())

const open = (id: number, source: StreamSource): PageCommand => ({
  id,
  command: 'open',
  input: { stream: `s${id}`, source },
})
const display = (displayId: string): StreamSource => ({ kind: 'display', displayId, framesPerSecond: 5 })
const opened = (answer: number) => ({ answer, value: { label: 'x', deviceId: 'x' } })

/** The document's side: what came through its port, and the port to answer by. */
class Page {
  readonly window: BrowserWindow
  readonly port: FakePort
  readonly heard: PageCommand[] = []

  constructor(window: BrowserWindow) {
    this.window = window
    this.port = window.webContents.posted[0]![2][0]!
    this.port.on('message', ({ data }: { data: PageCommand }) => this.heard.push(data))
    this.port.start()
  }

  /** What `getDisplayMedia` of this page, or of `url`, gets. */
  getDisplayMedia(audioRequested = false, url = this.window.webContents.mainFrame.url): Promise<unknown> {
    return new Promise((resolve) => {
      shell.session.displayMedia?.({ frame: { url }, videoRequested: true, audioRequested }, resolve)
    })
  }
}

const openPage = async (): Promise<[CapturePage, Page]> => {
  const capturePage = await shell.core.options!.ports.capturePage.current()
  return [capturePage, new Page(electron.windows.at(-1)!)]
}

describe('the hidden capture page', () => {
  it('is opened when it is first asked for, once, without being seen, slowed down or waiting for a click', async () => {
    shell = await runShell()
    expect(electron.windows).toHaveLength(1)
    const { capturePage } = shell.core.options!.ports
    const [one, two] = await Promise.all([capturePage.current(), capturePage.current()])
    expect(one).toBe(two)
    expect(electron.windows).toHaveLength(2)
    const { options, visible, webContents } = electron.windows[1]!
    expect(visible).toBe(false)
    expect(options['show']).toBe(false)
    expect(options.webPreferences).toMatchObject({
      preload: '/preloads/capture-preload.cjs',
      backgroundThrottling: false,
      disableBlinkFeatures: 'GetDisplayMediaRequiresUserActivation',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
    })
    expect(webContents.mainFrame.url).toBe('app://capture/index.html')
  })

  it('gets a port, by which commands and messages go both ways', async () => {
    shell = await runShell()
    const [capture, page] = await openPage()
    expect(page.window.webContents.posted[0]?.[0]).toBe('agent-capture:port')
    const messages: unknown[] = []
    capture.onMessage((message) => messages.push(message))
    capture.send({ id: 1, command: 'ping', input: {} })
    await until('the command came', () => page.heard.length === 1)
    page.port.postMessage({ answer: 1, value: { at: 5 }, bytes: new Uint8Array([1, 2]) })
    await until('the answer came', () => messages.length === 1)
    expect(messages).toEqual([{ answer: 1, value: { at: 5 }, bytes: new Uint8Array([1, 2]) }])
  })

  it('is opened anew after a crash, and whoever held the old one is told', async () => {
    shell = await runShell()
    const [old, page] = await openPage()
    page.window.webContents.emit('render-process-gone', {}, { reason: 'oom' })
    await old.closed
    expect(page.window.destroyed).toBe(true)
    const [next] = await openPage()
    expect(next).not.toBe(old)
    expect(electron.windows).toHaveLength(3)
  })

  it('that does not load is refused to its caller, and tried again at the next call', async () => {
    shell = await runShell()
    const { capturePage } = shell.core.options!.ports
    electron.failLoads = 'app://capture/'
    await expect(capturePage.current()).rejects.toThrow('ERR_FAILED')
    electron.failLoads = ''
    await expect(capturePage.current()).resolves.toBeDefined()
  })

  it('knows the displays in pixels, by the names the requests for them go by', async () => {
    shell = await runShell()
    expect(await shell.core.options!.ports.capturePage.displays?.()).toEqual([{ id: '1', width: 1600, height: 1200 }])
  })
})

describe('the displays of a desktop that lets its user pick one', () => {
  it('are not listed, so that one stream is asked for', () => {
    expect(picksDisplays('linux', { XDG_SESSION_TYPE: 'wayland' })).toBe(true)
    expect(picksDisplays('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
    expect(picksDisplays('linux', { XDG_SESSION_TYPE: 'x11', DISPLAY: ':0' })).toBe(false)
    expect(picksDisplays('darwin', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(false)
  })
})

describe('a request for a display', () => {
  const two = () => {
    electron.displays.push({ ...electron.displays[0], id: 2 })
    electron.sources = [
      { id: 'screen:1:0', display_id: '1' },
      { id: 'screen:2:0', display_id: '2' },
    ]
  }

  it('is answered with the display that the command names, without a picker and without sound', async () => {
    shell = await runShell({ prepare: two })
    expect(shell.session.displayMediaOptions).toEqual({ useSystemPicker: false })
    const [capture, page] = await openPage()
    capture.send(open(1, display('2')))
    expect(await page.getDisplayMedia(true)).toEqual({ video: { id: 'screen:2:0', display_id: '2' } })
  })

  it('is answered with the sound of the computer where the command asks for that', async () => {
    shell = await runShell({ prepare: two })
    const [capture, page] = await openPage()
    capture.send(open(1, { kind: 'loopback' }))
    expect(await page.getDisplayMedia(true)).toEqual({
      video: { id: 'screen:1:0', display_id: '1' },
      audio: 'loopback',
    })
  })

  it('never gets another display than its own when two are opened at once: they take turns', async () => {
    shell = await runShell({ prepare: two })
    const [capture, page] = await openPage()
    for (const command of [
      open(1, display('1')),
      open(2, display('2')),
      open(3, { kind: 'camera', deviceId: 'c', framesPerSecond: 1 }),
    ])
      capture.send(command)
    await until('the page has its first commands', () => page.heard.length === 2)
    expect(page.heard.map(({ id }) => id)).toEqual([1, 3])
    expect(await page.getDisplayMedia()).toMatchObject({ video: { display_id: '1' } })
    page.port.postMessage(opened(3))
    page.port.postMessage(opened(1))
    await until('the second has its turn', () => page.heard.length === 3)
    expect(page.heard[2]?.id).toBe(2)
    expect(await page.getDisplayMedia()).toMatchObject({ video: { display_id: '2' } })
  })

  it('makes room for the next when the page refuses one, and drops one that was closed while it waited', async () => {
    shell = await runShell({ prepare: two })
    const [capture, page] = await openPage()
    for (const [id, displayId] of [
      [1, '1'],
      [2, '2'],
      [3, '1'],
    ] as const)
      capture.send(open(id, display(displayId)))
    capture.send({ id: 9, command: 'close', input: { stream: 's2' } })
    page.port.postMessage({ refused: 1, name: 'NotAllowedError', detail: 'no' })
    await until('the third has its turn', () => page.heard.some(({ id }) => id === 3))
    expect(page.heard.map(({ id }) => id)).toEqual([1, 9, 3])
  })

  it('is refused when the display is gone, when nothing asked for one, and when they cannot be listed', async () => {
    shell = await runShell({ prepare: two })
    const [capture, page] = await openPage()
    expect(await page.getDisplayMedia()).toBeNull()
    capture.send(open(1, display('7')))
    expect(await page.getDisplayMedia()).toBeNull()
    electron.sourcesFail = true
    expect(await page.getDisplayMedia()).toBeNull()
    expect(shell.troubles.length).toBeGreaterThan(2)
  })

  it('gets the only display there is where displays have no names, and none when there are several', async () => {
    const nameless = () => {
      electron.sources = [{ id: 'screen:9:0', display_id: '' }]
    }
    shell = await runShell({ prepare: nameless })
    const [capture, page] = await openPage()
    capture.send(open(1, display('1')))
    expect(await page.getDisplayMedia()).toMatchObject({ video: { id: 'screen:9:0' } })
    electron.displays.push({ ...electron.displays[0], id: 2 })
    expect(await page.getDisplayMedia()).toBeNull()
  })

  it('is refused once its command is answered, and to any page but the capture page', async () => {
    shell = await runShell({ prepare: two })
    const [capture, page] = await openPage()
    capture.send(open(1, display('1')))
    expect(await page.getDisplayMedia(false, 'app://window/index.html')).toBeNull()
    expect(await page.getDisplayMedia(false, 'https://example.org/')).toBeNull()
    page.port.postMessage(opened(1))
    await until('the turn is over', async () => (await page.getDisplayMedia()) === null)
  })
})
