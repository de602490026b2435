import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/test-support/manual-clock.ts'
import { until } from '../../../test/test-support/until.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { createDesktopHelper } from '../desktop-helper/desktop-helper.ts'
import { macosHelperCommand, macosHelperScript } from '../desktop-helper/macos/helper-script.ts'
import { windowsHelperCommand } from '../desktop-helper/windows/helper-script.ts'
import { createObservers, topicsOf } from './create-observers.ts'
import { parseSystemProfiler } from './device-lists.ts'
import { parseGnomeIdleTime, parseHidIdleTime } from './idle.ts'
import { parseRegistryHints, parseSysctlHints } from './machine-hints.ts'
import { parsePsNames } from './process-lists.ts'
import { matchProcesses } from './processes.ts'
import { parseConsoleUsers, parseLockedHint } from './screen-lock.ts'
import { createSleepObserver, parseSleepTimes } from './sleep.ts'
import * as recorded from './test-support/recorded-outputs.ts'

const child = join(import.meta.dirname, '../desktop-helper/test-support/helper-child.ts')

describe('observers fed by the helper, with recorded lines', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platforms-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const watchRecorded = async (platform: 'darwin' | 'win32', lines: string, names: string[]) => {
    const file = join(folder, platform)
    await writeFile(file, lines)
    const helper = createDesktopHelper({ command: process.execPath, args: [child, file, 'stay'] })
    const observers = createObservers({ platform, helper, env: {} })
    return watch(observers.filter(({ name }) => names.includes(name)))
  }
  const toldBy = (observed: Awaited<ReturnType<typeof watchRecorded>>, source: string) =>
    observed.seen.filter((one) => one.source === source).map(({ kind, data }) => [kind, data.value])

  it('tell on macOS of the application in front, the clipboard and windows kept out of recordings', async () => {
    const names = ['foreground', 'clipboard', 'excluded_windows']
    const observed = await watchRecorded('darwin', recorded.macosLines, names)
    await until('each of them', () => names.every((name) => toldBy(observed, name).length > 0))
    await observed.set.stop()
    expect(toldBy(observed, 'foreground').at(-1)).toEqual([
      'foreground.changed',
      { application: 'Notizen – Übung', bundleId: 'com.apple.Notes' },
    ])
    expect(observed.gaps).toEqual([])
    expect(JSON.stringify(observed.seen)).not.toContain('"88"')
  })

  it('tell on Windows of everything the helper looks at', async () => {
    const names = [
      'foreground',
      'idle',
      'sleep',
      'screen_lock',
      'processes',
      'devices',
      'clipboard',
      'excluded_windows',
    ]
    const observed = await watchRecorded('win32', recorded.windowsLines, names)
    await until('the last of them', () => toldBy(observed, 'excluded_windows').length > 0)
    await until('the devices', () => toldBy(observed, 'devices').length === 3)
    await observed.set.stop()
    expect(toldBy(observed, 'excluded_windows').at(-1)).toEqual([
      'window.exclusion_started',
      { application: 'KeePassXC', bounds: { x: 0, y: 0, width: 800, height: 600 } },
    ])
    const all = JSON.stringify(observed.seen)
    for (const kept of ['65812', 'svchost', 'explorer', 'SERIAL', 'VID_046D']) expect(all).not.toContain(kept)
    expect(toldBy(observed, 'devices')[2]).toEqual([
      'device.added',
      {
        kind: 'microphone',
        name: 'CABLE Output (VB-Audio Virtual Cable)',
        listed: { device: 'VB-Audio Virtual Cable', kind: 'virtual_sound', listVersion: 1 },
      },
    ])
  })

  it('say in the capability list that they cannot see, when the helper cannot run', async () => {
    const helper = createDesktopHelper({ command: join(folder, 'nothing'), args: [] })
    for (const platform of ['darwin', 'win32'] as const) {
      const observers = createObservers({ platform, helper, env: {} }).filter(({ method }) =>
        /^(osascript|Power)/.test(method),
      )
      expect(observers.length).toBe(platform === 'darwin' ? 3 : 8)
      for (const observer of observers) {
        expect(await observer.probe()).toMatchObject({
          status: 'not_observable',
          why: expect.stringMatching(/^[A-Z].*\.$/),
        })
      }
    }
  })
})

describe('the helper’s command', () => {
  it('carries the topics, and only those that nothing else tells', () => {
    expect(topicsOf('linux', undefined)).toEqual([])
    expect(macosHelperCommand(topicsOf('darwin', undefined)).args.slice(-3)).toEqual([
      'foreground',
      'clipboard',
      'windows',
    ])
    const { command, args } = windowsHelperCommand(topicsOf('win32', undefined), { SystemRoot: 'D:\\Windows' })
    expect(command).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(args.at(-1)).toContain(
      "$topics = @('foreground', 'clipboard', 'windows', 'processes', 'idle', 'locked', 'asleep', 'devices')",
    )
    // CreateProcess takes 32,767 characters.
    expect(args.join(' ').length).toBeLessThan(20_000)
  })

  it('asks for no title and no content', () => {
    const scripts = macosHelperScript(false) + windowsHelperCommand([]).args.join(' ')
    for (const word of [
      'kCGWindowName',
      'GetWindowText',
      'MainWindowTitle',
      'GetClipboardData',
      'Get-Clipboard',
      'stringForType',
    ]) {
      expect(scripts).not.toContain(word)
    }
  })
})

describe('the title of the window in front, where it is wanted', () => {
  it('is asked for by both helpers, and nothing else is', () => {
    const mac = macosHelperCommand(topicsOf('darwin', undefined), true).args.join(' ')
    const windows = windowsHelperCommand(topicsOf('win32', undefined), {}, true).args.join(' ')
    expect(mac).toContain('kCGWindowName')
    expect(windows).toContain('GetWindowTextW')
    expect(windows).toContain('$titles = $true')
    expect(windowsHelperCommand([], {}).args.join(' ')).toContain('$titles = $false')
    for (const word of ['GetClipboardData', 'Get-Clipboard', 'stringForType']) expect(mac + windows).not.toContain(word)
    expect(windows.length).toBeLessThan(20_000)
  })

  it('is told cut to 200 characters, and dropped where a helper says one that was not wanted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'titles-'))
    const file = join(folder, 'lines')
    const line = (title: string) => JSON.stringify({ topic: 'foreground', application: 'Notes', title })
    await writeFile(file, `${line('€'.repeat(300))}\n`)
    const told = async (windowTitles: boolean) => {
      const helper = createDesktopHelper({ command: process.execPath, args: [child, file, 'stay'] })
      const observers = createObservers({ platform: 'win32', helper, env: {}, windowTitles })
      const { seen, set } = watch(observers.filter(({ name }) => name === 'foreground'))
      await until('the window in front', () => seen.length > 0)
      await set.stop()
      return seen[0]?.data
    }
    expect(await told(true)).toMatchObject({ value: { application: 'Notes', title: '€'.repeat(200) } })
    expect(await told(false)).toMatchObject({ value: { application: 'Notes' } })
    expect(JSON.stringify(await told(false))).not.toContain('title')
    // What helps a person is not named, nor what it shows.
    const helping = { topic: 'foreground', application: 'Magnify', bundleId: 'org.example.help', title: 'Enlarged' }
    await writeFile(file, `${JSON.stringify(helping)}\n`)
    expect(await told(true)).toMatchObject({ value: { application: null, title: null } })
    expect(JSON.stringify(await told(true))).not.toMatch(/Magnify|example|Enlarged/)
    await rm(folder, { recursive: true, force: true })
  })
})

describe('answers of macOS commands', () => {
  it('give idle time, the lock, the sleep, hints, programs and devices', () => {
    expect(parseHidIdleTime(recorded.ioregIdle)).toBe(4217)
    expect(parseConsoleUsers(recorded.ioregUnlocked)).toBe(false)
    expect(parseConsoleUsers(recorded.ioregLocked)).toBe(true)
    expect(parseSleepTimes(recorded.sysctlSleep)).toEqual({ sleptAt: 1_763_760_000_250, wokeAt: 1_763_760_600_750 })
    expect(parseSysctlHints(recorded.sysctlVm)).toEqual([
      { from: 'kern.hv_vmm_present', value: '1' },
      { from: 'hw.model', value: 'VirtualMac2,1' },
    ])
    expect(parseSysctlHints('kern.hv_vmm_present: 0\nhw.model: Mac15,3\n')).toEqual([])
    expect(parsePsNames(recorded.psNames)).toEqual([
      'launchd',
      'logd',
      'zoom.us',
      'Google Chrome Helper',
      'ARDAgent',
      'Jump Desktop Connect',
      'bash',
    ])
    expect([...matchProcesses(parsePsNames(recorded.psNames)).keys()]).toEqual([
      'Zoom',
      'Apple Remote Desktop',
      'Jump Desktop',
    ])
    expect(parseSystemProfiler(recorded.systemProfiler).map(({ kind, name }) => [kind, name])).toEqual([
      ['camera', 'FaceTime HD Camera'],
      ['camera', 'OBS Virtual Camera'],
      ['microphone', 'MacBook Pro Microphone'],
      ['microphone', 'BlackHole 2ch'],
    ])
  })

  it.each([
    ['empty', ''],
    ['cut short', '{"SPCameraDataType":[{"_name":"Fa'],
    ['of another shape', '{"SPCameraDataType":{"_name":"Fa"}}'],
  ])('that are %s are an error that quotes nothing, never a list without devices', (_, text) => {
    expect(() => parseSystemProfiler(text)).toThrow(/^the list of devices cannot be read$/)
  })

  it('that say nothing about it give nothing', () => {
    for (const text of ['', 'garbage', recorded.ioregIdle.slice(0, 200), 'x'.repeat(1_000_000)]) {
      expect(parseHidIdleTime(text)).toBeUndefined()
      expect(parseConsoleUsers(text)).toBeUndefined()
      expect(parseSleepTimes(text)).toBeUndefined()
      expect(parseSysctlHints(text)).toEqual([])
    }
    expect(() => matchProcesses(parsePsNames(''))).toThrow('the system lists no process')
  })
})

describe('answers of Windows and Linux commands', () => {
  it('give the makers that virtual machines name, and no other value', () => {
    expect(parseRegistryHints(recorded.regBios)).toEqual([
      { from: 'SystemManufacturer', value: 'VMware, Inc.' },
      { from: 'SystemProductName', value: 'VMware20,1' },
    ])
    expect(parseRegistryHints('')).toEqual([])
    expect(parseRegistryHints(recorded.regBios.slice(0, 60))).toEqual([])
  })

  it('give the lock of logind and the idle time of GNOME, or nothing', () => {
    expect([
      parseLockedHint('yes\n'),
      parseLockedHint('no\n'),
      parseLockedHint(''),
      parseLockedHint('toString'),
    ]).toEqual([true, false, undefined, undefined])
    expect([parseGnomeIdleTime('(uint64 12345,)\n'), parseGnomeIdleTime('(uint64'), parseGnomeIdleTime('')]).toEqual([
      12_345,
      undefined,
      undefined,
    ])
  })
})

describe('sleep without the desktop application', () => {
  it('is told on Linux after waking, from the clock that goes on and the one that stands still', async () => {
    const clock = manualClock()
    let asleep = 5000
    const { seen, set } = watch([createSleepObserver({ clock, platform: 'linux', asleepMs: () => asleep })], clock)
    await clock.advance(12_000)
    asleep += 1900
    await clock.advance(5000)
    asleep += 45_000
    await clock.advance(5000)
    await set.stop()
    expect(seen.map(({ kind, data }) => [kind, data.value])).toEqual([['power.resumed', { asleepMs: 45_000 }]])
  })

  it('asks macOS only after a look came late', async () => {
    const clock = manualClock()
    let asked = 0
    let times = { sleptAt: 0, wokeAt: 0 }
    const sleepTimes = async () => {
      asked += 1
      return times
    }
    const { seen, set } = watch([createSleepObserver({ clock, platform: 'darwin', sleepTimes })], clock)
    await clock.advance(60_000)
    // Once by the probe and once by the first look.
    expect(asked).toBe(2)
    times = { sleptAt: clock.wallMs(), wokeAt: clock.wallMs() + 600_000 }
    clock.jumpWall(600_000)
    await clock.advance(5000)
    // A machine that only stood still has not slept.
    clock.jumpWall(30_000)
    await clock.advance(20_000)
    await set.stop()
    expect(asked).toBe(4)
    expect(seen.map(({ kind, data }) => [kind, data.value])).toEqual([['power.resumed', { asleepMs: 600_000 }]])
  })
})
