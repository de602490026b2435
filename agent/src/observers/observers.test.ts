import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/until.ts'
import {
  canRunWith,
  DESKTOP_PROGRAMS,
  SOUND_PROGRAMS,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../test/support/virtual-desktop.ts'
import { findProgram, stopChild } from '../shared/child-process.ts'
import { createObservers } from './create-observers.ts'
import { createDevicesObserver } from './devices.ts'
import { createDisplaysObserver } from './displays.ts'
import { createForegroundObserver } from './foreground.ts'
import { createIdleObserver } from './idle.ts'
import { createObserverSet } from './observer-set.ts'
import { createProcessesObserver } from './processes.ts'
import type { Observation, Observer, ObserverGap } from './types.ts'
import { linuxHints } from './virtual-machine.ts'

/** Runs observers and keeps what they say. */
const watch = (...observers: Observer[]) => {
  const seen: Observation[] = []
  const gaps: ObserverGap[] = []
  const emit = (observation: Observation): void => {
    seen.push(observation)
  }
  const onGap = (gap: ObserverGap): void => {
    gaps.push(gap)
  }
  const set = createObserverSet({ observers, emit, onGap, random: () => 0 })
  set.start()
  return { seen, gaps, set }
}

const ready = canRunWith('observers', [...DESKTOP_PROGRAMS, ...SOUND_PROGRAMS, 'xmessage'])
describe.skipIf(!ready)('observers on a real desktop', () => {
  let desktop: VirtualDesktop

  beforeAll(async () => {
    desktop = await startVirtualDesktop({ width: 800, height: 600 })
  })
  afterAll(() => desktop?.stop())

  it('names the application that comes to the front, and never its title', async () => {
    const { seen, set } = watch(createForegroundObserver({ env: desktop.env }))
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

  it('says how the displays were, and sees one added', async () => {
    const { seen, set } = watch(createDisplaysObserver({ env: desktop.env, intervalMs: 200 }))
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

  it('tells of a microphone that is plugged in and out, by its name', async () => {
    const { seen, set } = watch(createDevicesObserver({ env: desktop.env, intervalMs: 200 }))
    await until('the baseline', () => seen.some(({ data }) => (data.value as { id: string }).id === 'mic'))
    const properties = 'source_properties=device.description=Desk_Microphone'
    const id = await desktop.loadModule('module-remap-source', 'source_name=desk', 'master=micfeed.monitor', properties)
    const about = (kind: string) =>
      seen.find((one) => one.kind === kind && (one.data.value as { id: string }).id === 'desk')
    await until('the new microphone', () => about('device.added') !== undefined)
    await desktop.unloadModule(id)
    await until('its removal', () => about('device.removed') !== undefined)
    await set.stop()
    expect(about('device.added')!.data).toMatchObject({
      value: { kind: 'microphone', name: 'Desk_Microphone', virtualByName: false },
    })
  })

  it('matches a running program of the catalogue under its own name, and its end, and no other program', async () => {
    const path = join(desktop.folder, 'anydesk')
    await copyFile(findProgram('sleep')!, path)
    const { seen, set } = watch(createProcessesObserver({ intervalMs: 200 }))
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
      catalogueVersion: 1,
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
    expect(lines.get('displays')).toEqual({ observer: 'displays', status: 'observable' })
    expect(lines.get('foreground')).toEqual({ observer: 'foreground', status: 'observable' })
    expect(lines.get('devices')).toEqual({ observer: 'devices', status: 'observable' })
    expect(lines.get('screen_lock')).toMatchObject({ status: 'not_observable', why: expect.stringContaining('lock') })
    expect(lines.size).toBe(9)
  })

  it('finds nothing in front observable where there is no desktop', async () => {
    const env = { ...desktop.env, DISPLAY: undefined, PULSE_SERVER: `unix:${desktop.folder}/nobody` }
    expect(await createForegroundObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    expect(await createIdleObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
    expect(await createDevicesObserver({ env }).probe()).toMatchObject({ status: 'not_observable' })
  })

  it('reads idle time where the program for it is installed, and says so where it is not', async () => {
    const bin = join(desktop.folder, 'bin')
    await mkdir(bin)
    const answer = join(desktop.folder, 'idle')
    const env = { ...desktop.env, PATH: `${bin}:${process.env['PATH']}` }
    const installed = findProgram('xprintidle') !== undefined
    const expected = installed
      ? { status: 'observable' }
      : { status: 'not_observable', why: 'xprintidle is not installed' }
    expect(await createIdleObserver({ env }).probe()).toEqual(expected)
    await writeFile(join(bin, 'xprintidle'), `#!/bin/sh\ncat ${answer}\n`, { mode: 0o755 })
    const idleFor = async (ms: number): Promise<void> => {
      await writeFile(`${answer}.new`, String(ms))
      await rename(`${answer}.new`, answer)
    }
    await idleFor(100)
    const { seen, set } = watch(createIdleObserver({ env, intervalMs: 50 }))
    await idleFor(61_000)
    await until('idle', () => seen.length === 1)
    await idleFor(10)
    await until('its end', () => seen.length === 2)
    await set.stop()
    expect(seen.map(({ kind }) => kind)).toEqual(['idle.started', 'idle.ended'])
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
