import { afterEach, describe, expect, it, vi } from 'vitest'
import { setMenu } from '../../src/shell/main/menu.ts'
import { until } from '../test-support/until.ts'
import { app, electron, emitPreventable } from './fake-electron.ts'
import { type RunningShell, runShell } from './running-shell.ts'
import { ScriptedCore } from './scripted-core.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const link = 'integrity-agent://join?code=K7QF-2M9X&server=https%3A%2F%2Finterviews.example.org'
const argv = process.argv
let shell: RunningShell | undefined
afterEach(async () => {
  process.argv = argv
  await shell?.stop()
  shell = undefined
})

describe('a first start', () => {
  it('shows the one window, in a sandbox, with a preload and nothing of Node', async () => {
    shell = await runShell()
    expect(electron.calls).toContain('enableSandbox')
    expect(electron.windows).toHaveLength(1)
    expect(shell.window.visible).toBe(true)
    expect(shell.window.webContents.mainFrame.url).toBe('app://window/index.html')
    expect(shell.window.options.webPreferences).toMatchObject({
      preload: '/preloads/window-preload.cjs',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      devTools: false,
    })
    expect(electron.schemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true } }])
  })

  it('has no menu, whose shortcuts could reload a page or open its tools', async () => {
    shell = await runShell()
    expect(electron.menu).toBeNull()
    setMenu('darwin')
    expect(electron.menu).toEqual([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
  })

  it('keeps its pages in one session in memory, without spelling, downloads or anything of the network', async () => {
    shell = await runShell()
    expect(electron.sessions).toHaveLength(1)
    const { partition, options, spellChecker, beforeRequest } = shell.session
    expect(partition).not.toMatch(/^persist:/)
    expect(options).toEqual({ cache: false })
    expect(spellChecker).toBe(false)
    const cancelled = (url: string): boolean | undefined => {
      let cancel: boolean | undefined
      beforeRequest?.({ url }, (answer) => {
        cancel = answer.cancel
      })
      return cancel
    }
    for (const url of [
      'https://example.org/x.js',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'wss://example.org/',
      'ftp://a/',
    ])
      expect(cancelled(url), url).toBe(true)
    for (const url of ['app://window/index.html', 'data:image/png;base64,AA==', 'blob:app://capture/1'])
      expect(cancelled(url), url).toBe(false)
    expect(emitPreventable(shell.session, 'will-download').defaultPrevented).toBe(true)
  })

  it('tells the core where it is and what it may use', async () => {
    shell = await runShell({ prepare: () => Object.assign(electron, { locale: 'hi-IN' }) })
    expect(shell.core.options).toMatchObject({ version: '1.2.3', locale: 'hi-IN', platform: process.platform })
    expect(shell.core.options?.dataDir).toMatch(/user-data.agent$/)
    expect(shell.core.options?.ports.keyStore.protection).toBe('os_key_store')
  })

  it('says so and ends when the core does not open', async () => {
    const openCore = async () => {
      throw new Error('Another program uses this folder.')
    }
    shell = await runShell({ openCore })
    expect(electron.errorBoxes).toEqual([expect.stringContaining('Another program uses this folder.')])
    await until('it quits', () => electron.quitted)
  })
})

describe('a second start', () => {
  it('ends at once when the first is there, without window, core or tray', async () => {
    const core = new ScriptedCore()
    shell = await runShell({ core, prepare: () => Object.assign(electron, { lock: false }) })
    expect(electron.quitted).toBe(true)
    expect([electron.windows, electron.trays, electron.sessions]).toEqual([[], [], []])
    expect(core.options).toBeUndefined()
  })

  it('brings the window of the first to the front and hands its link over', async () => {
    shell = await runShell()
    shell.window.hide()
    app.emit('second-instance', {}, ['/opt/agent', '--some-switch'], '/')
    expect(shell.window.visible).toBe(true)
    expect(shell.core.links).toEqual([])
    app.emit('second-instance', {}, ['/opt/agent', '--some-switch', link], '/')
    expect(shell.core.links).toEqual([link])
  })

  it.each([
    ['with a link', [link], ['relaunch', link].join(' ')],
    ['without one', [], 'relaunch'],
  ])(
    'that comes %s while the first is on its way out is not lost: the program opens again behind it',
    async (_, more, again) => {
      shell = await runShell()
      const { promise, resolve } = Promise.withResolvers<void>()
      shell.core.closed = promise
      app.quit()
      await until('it closes', () => shell?.core.closes === 1)
      app.emit('second-instance', {}, ['/opt/agent', ...more], '/')
      expect(electron.calls).not.toContain(again)
      resolve()
      await until('it quits', () => electron.quitted)
      expect(electron.calls.filter((call) => call.startsWith('relaunch'))).toEqual([again])
      expect(shell.core.links).toEqual([])
    },
  )

  it('that comes while the computer shuts down opens nothing', async () => {
    shell = await runShell()
    const { promise, resolve } = Promise.withResolvers<void>()
    shell.core.closed = promise
    shell.window.emit('session-end')
    await until('it closes', () => shell?.core.closes === 1)
    app.emit('second-instance', {}, ['/opt/agent', link], '/')
    resolve()
    await until('it quits', () => electron.quitted)
    expect(electron.calls).not.toContainEqual(expect.stringMatching(/^relaunch/))
  })
})

describe('a link', () => {
  it('claims our scheme from the operating system', async () => {
    shell = await runShell()
    expect(electron.calls).toContain('setAsDefaultProtocolClient integrity-agent')
  })

  it('among the arguments of the first start is opened once the core is there', async () => {
    process.argv = ['/opt/agent', link]
    shell = await runShell()
    expect(shell.core.links).toEqual([link])
  })

  it('of macOS that comes before the program is ready is opened then; the last of several counts', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let prepared = false
    const prepare = () => {
      prepared = true
      electron.ready = promise
    }
    const starting = runShell({ prepare })
    await until('it listens', () => prepared && app.listenerCount('open-url') > 0)
    emitPreventable(app, 'open-url', `${link}&n=1`)
    const event = emitPreventable(app, 'open-url', link)
    resolve()
    shell = await starting
    expect(event.defaultPrevented).toBe(true)
    expect(shell.core.links).toEqual([link])
  })

  it.each([
    'https://interviews.example.org/join?code=K7QF-2M9X',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'integrity-agents://join?code=K7QF-2M9X',
    'integrity-agent',
    `integrity-agent://join?code=${'A'.repeat(2000)}`,
    '',
  ])('of another scheme, or far too long, is nothing to us: %s', async (foreign) => {
    process.argv = ['/opt/agent', foreign]
    shell = await runShell()
    app.emit('second-instance', {}, ['/opt/agent', foreign], '/')
    emitPreventable(app, 'open-url', foreign)
    expect(shell.core.links).toEqual([])
  })

  it('that the core cannot open is told and does no harm', async () => {
    const core = new ScriptedCore()
    core.openLink = async () => {
      throw new Error('no')
    }
    shell = await runShell({ core })
    app.emit('second-instance', {}, [link], '/')
    await until('it is told', () => shell?.troubles.length === 1)
    expect(shell.window.destroyed).toBe(false)
  })
})
