import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { observerNames } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { catalogueVersion } from '../../core/observers/catalogue.ts'
import { createObserverSet } from '../../core/observers/observer-set.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { findProgram, runCommand, stopChild } from '../../shared/child-process.ts'
import { clipboardOwnerChanges } from '../x11/clipboard-owner.ts'
import { clipboardUser } from '../x11/test-support/take-clipboard.ts'
import { createClipboardObserver } from './clipboard.ts'
import { createObservers } from './create-observers.ts'
import { createDevicesObserver } from './devices.ts'
import { createDisplaysObserver } from './displays.ts'
import { createForegroundObserver } from './foreground.ts'
import { createIdleObserver } from './idle.ts'
import { linuxHints } from './machine-hints.ts'
import { createProcessesObserver } from './processes.ts'
import { createScreenLockObserver } from './screen-lock.ts'

const ready = canRunWith('observers', [...desktopPrograms, ...soundPrograms, 'xmessage'])
describe.skipIf(!ready)('observers on a real desktop', () => {
  let desktop: VirtualDesktop

  beforeAll(async () => {
    desktop = await startVirtualDesktop({ width: 800, height: 600 })
  })
  afterAll(() => desktop?.stop())

  it('names the application that comes to the front, and never its title', async () => {
    const { seen, set } = watch([createForegroundObserver({ env: desktop.env })])
    await until('the baseline', () => seen.length > 0)
    expect(seen[0]).toMatchObject({
      kind: 'foreground.changed',
      source: 'foreground',
      data: { sinceBeforeSession: true },
    })
    const window = await desktop.openWindow('a secret title')
    await until('the window', () => seen.length > 1)
    await set.stop()
    await stopChild(window)
    expect(seen[1]).toMatchObject({ data: { value: { application: 'Xmessage' } } })
    expect(seen[1]!.data.sinceBeforeSession).toBeUndefined()
    expect(JSON.stringify(seen)).not.toContain('secret')
  })

  it('names the title of the window in front, and its change, only where titles are wanted', async () => {
    const { seen, set } = watch([createForegroundObserver({ env: desktop.env, windowTitles: true })])
    const titles = () => seen.map(({ data }) => (data.value as { title?: string | null }).title)
    const window = await desktop.openWindow('some text')
    await until('the window', () => titles().includes('xmessage'))
    const { stdout } = await runCommand('xprop', ['-root', '_NET_ACTIVE_WINDOW'], { env: desktop.env })
    const id = /# (0x[0-9a-f]+)/.exec(stdout.toString())?.[1] ?? ''
    const set8 = ['-id', id, '-f', '_NET_WM_NAME', '8u', '-set', '_NET_WM_NAME', 'Übung 7']
    await runCommand('xprop', set8, { env: { ...desktop.env, LC_ALL: 'C.UTF-8' } })
    await until('the new title', () => titles().includes('Übung 7'))
    await set.stop()
    await stopChild(window)
    expect(seen.at(-1)).toMatchObject({ data: { method: expect.stringContaining('_NET_WM_NAME') } })
    expect(JSON.stringify(seen)).not.toContain('some text')
  })

  it('says how the displays were, and sees one added', async () => {
    const { seen, set } = watch([createDisplaysObserver({ env: desktop.env, intervalMs: 200 })])
    await until('the baseline', () => seen.length > 0)
    expect(seen).toMatchObject([
      { kind: 'display.added', data: { value: { id: 'screen', width: 800, height: 600 }, sinceBeforeSession: true } },
    ])
    await desktop.splitIntoTwoMonitors()
    const added = () => seen.filter(({ kind, data }) => kind === 'display.added' && !data.sinceBeforeSession)
    await until('the new displays', () => added().length >= 2)
    await set.stop()
    expect(added().map(({ data }) => (data.value as { id: string }).id)).toEqual(['LEFT', 'RIGHT'])
    expect(added()[0]!.data.baseline).toMatchObject([{ id: 'screen' }])
    expect(seen.map(({ kind }) => kind)).toContain('display.removed')
  })

  it('tells of a microphone that is plugged in and out, by its name, and of one that the published list has', async () => {
    const { seen, set } = watch([createDevicesObserver({ env: desktop.env, intervalMs: 200 })])
    await until('the baseline', () => seen.length > 0)
    const remap = (name: string, description: string) =>
      desktop.loadModule(
        'module-remap-source',
        `source_name=${name}`,
        'master=micfeed.monitor',
        `source_properties=device.description=${description}`,
      )
    const ids = [await remap('desk', 'Desk_Microphone'), await remap('listed', 'Krisp_Microphone')]
    const about = (kind: string, name: string) =>
      seen.find((one) => one.kind === kind && (one.data.value as { name: string }).name === name)
    await until('the listed one', () => about('device.added', 'Krisp_Microphone') !== undefined)
    for (const id of ids) await desktop.unloadModule(id)
    await until('its removal', () => about('device.removed', 'Krisp_Microphone') !== undefined)
    await set.stop()
    expect(about('device.added', 'Desk_Microphone')!.data.value).toEqual({
      kind: 'microphone',
      name: 'Desk_Microphone',
      listed: null,
    })
    expect(about('device.added', 'Krisp_Microphone')!.data).toMatchObject({
      value: { listed: { device: 'Krisp', kind: 'virtual_microphone', listVersion: 1 } },
      baseline: expect.any(Array),
    })
    // The sound server's own name of a source, which may hold a serial number, stays on the machine.
    expect(JSON.stringify(seen)).not.toContain('"desk"')
  })

  it('matches a running program of the catalogue under its own name, and its end, and no other program', async () => {
    const path = join(desktop.folder, 'anydesk')
    await copyFile(findProgram('sleep')!, path)
    const { seen, set } = watch([createProcessesObserver({ intervalMs: 200 })])
    const about = (kind: string) =>
      seen.find((one) => one.kind === kind && (one.data.value as { program: string }).program === 'AnyDesk')
    const sleeper: ChildProcess = spawn(path, ['600'], { stdio: 'ignore' })
    await until('the match', () => about('process.matched') !== undefined)
    await stopChild(sleeper)
    await until('the end', () => about('process.ended') !== undefined)
    await set.stop()
    expect(about('process.matched')!.data.value).toEqual({
      program: 'AnyDesk',
      kind: 'remote_control',
      process: 'anydesk',
      catalogueVersion: catalogueVersion,
    })
    expect(JSON.stringify(seen)).not.toContain('sleep')
  })

  it('lists what it can and cannot see, with reasons', async () => {
    const set = createObserverSet({
      observers: createObservers({ env: desktop.env }),
      emit: () => undefined,
      onGap: () => undefined,
    })
    const lines = new Map((await set.capabilities()).map((line) => [line.observer, line]))
    for (const name of ['displays', 'foreground', 'idle', 'devices', 'clipboard', 'sleep', 'processes']) {
      expect(lines.get(name)).toEqual({ observer: name, status: 'observable' })
    }
    expect(lines.get('screen_lock')).toMatchObject({ status: 'not_observable', why: expect.stringContaining('lock') })
    expect(lines.get('excluded_windows')).toMatchObject({ status: 'not_observable' })
    expect([...lines.keys()]).toEqual(observerNames)
  })

  it('finds nothing in front observable where there is no desktop', async () => {
    const env = { ...desktop.env, DISPLAY: undefined, PULSE_SERVER: `unix:${desktop.folder}/nobody` }
    expect(await createForegroundObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    expect(await createIdleObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    expect(await createDevicesObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    expect(await createClipboardObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
  })

  it('says on Wayland that X11 answers for X programs only, even though it answers', async () => {
    for (const wayland of [{ WAYLAND_DISPLAY: 'wayland-0' }, { XDG_SESSION_TYPE: 'wayland' }]) {
      const env = { ...desktop.env, ...wayland }
      expect(await createForegroundObserver({ env }).probe()).toEqual({
        status: 'not_observable',
        why: 'On Wayland, which program is in front cannot be observed.',
      })
      expect(await createIdleObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
      expect(await createClipboardObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    }
  })

  it('tells that nobody touched keyboard or pointer for a while, and of the first touch', async () => {
    const { seen, set } = watch([createIdleObserver({ env: desktop.env, intervalMs: 100, idleAfterMs: 500 })])
    await runCommand('xdotool', ['mousemove', '11', '11'], { env: desktop.env })
    await until('idle', () => seen.some(({ kind, data }) => kind === 'idle.started' && !data.sinceBeforeSession))
    await runCommand('xdotool', ['mousemove', '12', '12'], { env: desktop.env })
    await until('its end', () => seen.at(-1)?.kind === 'idle.ended')
    await set.stop()
    const { idleMs } = seen.findLast(({ kind }) => kind === 'idle.started')!.data.value as { idleMs: number }
    expect(idleMs).toBeGreaterThanOrEqual(500)
  })

  it('counts each use of the clipboard, and neither selecting text nor a program that leaves', async () => {
    const counts: number[] = []
    const controller = new AbortController()
    const done = clipboardOwnerChanges(desktop.env)((count) => counts.push(count), controller.signal)
    // The first state says that the server now tells.
    await until('the server', () => counts.length === 1)
    const user = await clipboardUser(desktop.env)
    await user.take('PRIMARY')
    await user.take('CLIPBOARD')
    await user.take('CLIPBOARD')
    user.close()
    const other = await clipboardUser(desktop.env)
    await other.take('CLIPBOARD')
    await until('the other program', () => counts.length === 4)
    other.close()
    controller.abort()
    await done
    expect(counts).toEqual([0, 1, 2, 3])
  })

  it('tells that the clipboard was used, and nothing of what is in it', async () => {
    const { seen, gaps, set } = watch([createClipboardObserver({ env: desktop.env })])
    const user = await clipboardUser(desktop.env)
    await until('a use', async () => {
      await user.take('CLIPBOARD')
      return seen.length > 0
    })
    user.close()
    await set.stop()
    const method = 'X11: XFixesSelectionNotify of the CLIPBOARD selection'
    expect(seen[0]).toMatchObject({ kind: 'clipboard.used', source: 'clipboard' })
    expect(seen[0]!.data).toEqual({ observerVersion: 1, method, value: { times: 1 } })
    expect(gaps).toEqual([])
  })

  it('reads the lock of desktops that tell logind, and trusts no other', async () => {
    const bin = join(desktop.folder, 'bin')
    await mkdir(bin)
    const answer = join(desktop.folder, 'lock')
    const answers = async (text: string): Promise<void> => {
      await writeFile(`${answer}.new`, text)
      await rename(`${answer}.new`, answer)
    }
    await writeFile(
      join(bin, 'loginctl'),
      `#!/bin/sh\ntest "$2" = 7 && cat ${answer}\nend=$?\necho >> ${answer}.reads\nexit $end\n`,
      {
        mode: 0o755,
      },
    )
    const gnome = { XDG_CURRENT_DESKTOP: 'ubuntu:GNOME', XDG_SESSION_ID: '7' }
    const env = { ...desktop.env, ...gnome, PATH: `${bin}:${process.env['PATH']}` }
    const reads = async (): Promise<number> => (await readFile(`${answer}.reads`)).length
    await answers('no\n')
    expect(await createScreenLockObserver({ env }).probe()).toEqual({ status: 'observable' })
    expect(await createScreenLockObserver({ env: { ...env, XDG_SESSION_ID: '8' } }).probe()).toEqual({
      status: 'not_observable',
      why: 'Whether the screen is locked cannot be seen: the system does not tell it.',
    })
    expect(await createScreenLockObserver({ env: { ...env, XDG_CURRENT_DESKTOP: 'LXDE' } }).probe()).toMatchObject({
      why: 'Whether the screen is locked cannot be seen: this desktop does not tell it.',
    })
    const { gaps, kinds, set } = watch([createScreenLockObserver({ env, intervalMs: 50 })])
    await until('locked', async () => {
      await answers('yes\n')
      return kinds().length === 1
    })
    await answers('no\n')
    await until('unlocked', () => kinds().length === 2)
    await answers('perhaps\n')
    const before = await reads()
    await until('not knowing', async () => (await reads()) >= before + 2)
    await answers('no\n')
    await until('the gap', () => gaps.length === 1)
    await set.stop()
    expect(kinds()).toEqual(['screen.locked', 'screen.unlocked'])
  })

  it('finds hints of a virtual machine with the file that gave each', async () => {
    const root = join(desktop.folder, 'machine')
    await mkdir(join(root, 'proc'), { recursive: true })
    await mkdir(join(root, 'sys/class/dmi/id'), { recursive: true })
    await writeFile(join(root, 'proc/cpuinfo'), 'flags\t\t: fpu sse hypervisor avx\n')
    await writeFile(join(root, 'sys/class/dmi/id/sys_vendor'), 'QEMU\n')
    await writeFile(join(root, 'sys/class/dmi/id/product_name'), 'ThinkPad X1\n')
    expect(await linuxHints(root)).toEqual([
      { from: '/proc/cpuinfo', value: 'hypervisor' },
      { from: '/sys/class/dmi/id/sys_vendor', value: 'QEMU' },
    ])
    expect(await linuxHints(join(desktop.folder, 'nothing'))).toEqual([])
  })
})
