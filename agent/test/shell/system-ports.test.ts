import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileKeyStore } from '../../src/core/spool/key-store.ts'
import { besideArchive } from '../../src/shell/main/asar-path.ts'
import { openBrowser } from '../../src/shell/main/browser.ts'
import { createKeyStore, KeyStoreClosed } from '../../src/shell/main/key-store.ts'
import { createOsPermissions } from '../../src/shell/main/os-permissions.ts'
import { createShellSignals } from '../../src/shell/main/power.ts'
import { launchSherpa } from '../../src/shell/main/speech-process.ts'
import { electron, powerMonitor, screen } from './fake-electron.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ports-'))
  electron.reset(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the key store', () => {
  it("gives the same key at every start, which is on the disk only as the operating system's key store sealed it", async () => {
    const store = createKeyStore(folder, 'linux')
    expect(store.protection).toBe('os_key_store')
    const key = await store.getOrCreate()
    expect(key).toHaveLength(32)
    expect(await createKeyStore(folder, 'linux').getOrCreate()).toEqual(key)
    expect(await readdir(folder)).toEqual(['spool.key.sealed'])
    const onDisk = await readFile(join(folder, 'spool.key.sealed'))
    expect(onDisk.includes(key)).toBe(false)
  })

  it.each([
    ['basic_text', true],
    ['unknown', true],
    ['gnome_libsecret', false],
  ])('on Linux with %s (encryption available: %s) keeps the key in a file and says so', async (backend, available) => {
    electron.keyring = { available, backend, secret: 'one' }
    const store = createKeyStore(folder, 'linux')
    expect(store.protection).toBe('basic')
    const key = await store.getOrCreate()
    expect(await createKeyStore(folder, 'linux').getOrCreate()).toEqual(key)
    expect(await readdir(folder)).toEqual(['spool.key'])
  })

  it('does not look at the name of the backend on macOS and Windows, which have one store', () => {
    electron.keyring.backend = 'unknown'
    expect(createKeyStore(folder, 'darwin').protection).toBe('os_key_store')
    expect(createKeyStore(folder, 'win32').protection).toBe('os_key_store')
  })

  it('seals a key that was in a file before, and removes the file', async () => {
    const key = await fileKeyStore(folder).getOrCreate()
    expect(await createKeyStore(folder, 'linux').getOrCreate()).toEqual(key)
    expect(await readdir(folder)).toEqual(['spool.key.sealed'])
  })

  it('never makes a second key when the store does not open the first', async () => {
    await createKeyStore(folder, 'linux').getOrCreate()
    const before = await readFile(join(folder, 'spool.key.sealed'))
    electron.keyring.secret = 'another'
    await expect(createKeyStore(folder, 'linux').getOrCreate()).rejects.toThrow(KeyStoreClosed)
    electron.keyring.backend = 'basic_text'
    await expect(createKeyStore(folder, 'linux').getOrCreate()).rejects.toThrow(KeyStoreClosed)
    expect(await readFile(join(folder, 'spool.key.sealed'))).toEqual(before)
    expect(await readdir(folder)).toEqual(['spool.key.sealed'])
  })

  it('refuses what opens but is no key', async () => {
    await writeFile(join(folder, 'spool.key.sealed'), `one|${Buffer.from('c2hvcnQ=').toString('hex')}`)
    await expect(createKeyStore(folder, 'linux').getOrCreate()).rejects.toThrow('not a key')
  })
})

describe('the signals of the system', () => {
  it('come from powerMonitor and screen, until they are no longer wanted', () => {
    const signals = createShellSignals()
    const heard: string[] = []
    const names = [
      'suspend',
      'resume',
      'lock-screen',
      'unlock-screen',
      'display-added',
      'display-removed',
      'display-metrics-changed',
    ] as const
    const offs = names.map((name) => signals.on(name, () => heard.push(name)))
    const emitAll = (): void => {
      for (const name of names) (name.startsWith('display') ? screen : powerMonitor).emit(name, {})
    }
    emitAll()
    expect(heard).toEqual([...names])
    for (const off of offs) off()
    emitAll()
    expect(heard).toHaveLength(names.length)
  })

  it('read idleness and displays', () => {
    electron.idleSeconds = 42
    expect(createShellSignals().systemIdleSeconds()).toBe(42)
    expect(createShellSignals().displays()).toEqual([
      { id: '1', x: 0, y: 0, width: 800, height: 600, primary: true, name: 'Inner', scaleFactor: 2, internal: true },
    ])
  })
})

describe('the speech engine', () => {
  it('is a process of Electron without standard streams, which takes sound and says lines by messages', async () => {
    const lines: string[] = []
    const child = launchSherpa('/app/sherpa-process.js')(['{"model":1}'], {
      onLine: (line) => lines.push(line),
      onRoom: () => {},
    })
    const [made] = electron.processes
    expect(made).toMatchObject({
      script: '/app/sherpa-process.js',
      args: ['{"model":1}'],
      options: { stdio: 'ignore' },
    })
    made!.pid = 77
    expect(child.pid).toBe(77)
    expect(child.write(Buffer.from([1, 2]))).toBe(true)
    made!.emit('message', { line: '{"type":"progress"}' })
    made!.emit('message', { taken: 2 })
    child.end()
    expect(made!.received).toEqual([new Uint8Array([1, 2]), 'end'])
    expect(lines).toEqual(['{"type":"progress"}'])
    made!.emit('exit', 0)
    expect(await child.ended).toMatchObject({ complete: true })
    child.kill()
    expect(made!.killed).toBe(true)
  })
})

describe('a file that is unpacked beside the archive', () => {
  it('is found there by its place in the archive', () => {
    expect(besideArchive('/opt/agent/resources/app.asar/node_modules/x/x')).toBe(
      '/opt/agent/resources/app.asar.unpacked/node_modules/x/x',
    )
    expect(besideArchive('C:\\agent\\resources\\app.asar\\x.exe')).toBe(
      'C:\\agent\\resources\\app.asar.unpacked\\x.exe',
    )
    for (const path of ['/home/app.asar.unpacked/x', '/home/my-app.asary/x', '/home/agent/dist/x'])
      expect(besideArchive(path)).toBe(path)
  })
})

describe("the operating system's permissions", () => {
  it('are read as given, denied or not known', () => {
    Object.assign(electron.mediaAccess, { microphone: 'granted', camera: 'denied', screen: 'restricted' })
    const permissions = createOsPermissions('darwin')
    const read = () => (['microphone', 'camera', 'screen', 'signals'] as const).map((lane) => permissions.status(lane))
    expect(read()).toEqual(['granted', 'denied', 'denied', 'unknown'])
    electron.mediaAccess = {}
    expect(read()).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
  })

  it('are not known on Linux, where samples decide', () => {
    electron.mediaAccess['camera'] = 'denied'
    expect(createOsPermissions('linux').status('camera')).toBe('unknown')
  })

  it('are asked for on macOS, for camera and microphone', async () => {
    for (const lane of ['camera', 'microphone', 'screen', 'signals'] as const) {
      await createOsPermissions('darwin').ask(lane)
      await createOsPermissions('linux').ask(lane)
    }
    expect(electron.asked).toEqual(['camera', 'microphone'])
  })

  it('open the page of settings that there is, and no other address', async () => {
    expect(await createOsPermissions('darwin').openSettings('screen')).toBe(true)
    expect(await createOsPermissions('win32').openSettings('camera')).toBe(true)
    expect(await createOsPermissions('win32').openSettings('screen')).toBe(false)
    expect(await createOsPermissions('linux').openSettings('camera')).toBe(false)
    expect(electron.opened).toEqual([
      'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
      'ms-settings:privacy-webcam',
    ])
  })
})

describe("the candidate's own browser", () => {
  const link = 'https://interviews.example/prefix/requests/#ses_1.crq_1'

  it('is given the page about what is kept, whole', async () => {
    await openBrowser.open(link)
    await openBrowser.open('http://127.0.0.1:8080/requests/#ses_1')
    expect(electron.opened).toEqual([link, 'http://127.0.0.1:8080/requests/#ses_1'])
  })

  it.each([
    'file:///requests/',
    'integrity-agent://x/requests/',
    'ms-settings:privacy/requests/',
    'https://interviews.example/room/#ses_1',
    'https://interviews.example/requests/more',
    'https://interviews.example/?/requests/',
    'https://interviews.example/#/requests/',
    'https://interviews.example@elsewhere.example/requests/',
    '/requests/',
  ])('is given nothing else: %s', async (address) => {
    await expect(openBrowser.open(address)).rejects.toThrow()
    expect(electron.opened).toEqual([])
  })
})
