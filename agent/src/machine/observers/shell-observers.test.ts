import { describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import type { Observer } from '../../core/observers/types.ts'
import { createObservers } from './create-observers.ts'
import { createDevicesObserver } from './devices.ts'
import { createDisplaysObserver } from './displays.ts'
import { createIdleObserver } from './idle.ts'
import type { ObserverOptions } from './observer-options.ts'
import { createScreenLockObserver } from './screen-lock.ts'
import { createSleepObserver } from './sleep.ts'
import { fakeShell } from './test-support/fake-shell.ts'

const fed = (make: (options: ObserverOptions) => Observer, platform: 'linux' | 'darwin' | 'win32' = 'darwin') => {
  const clock = manualClock()
  const shell = fakeShell()
  return { clock, shell, ...watch([make({ clock, shell, platform, env: {} })], clock) }
}

describe('observers that the desktop application feeds', () => {
  it('tell of displays at the event, without looking in between', async () => {
    const { shell, seen, set } = fed(createDisplaysObserver)
    await settle()
    expect(seen).toMatchObject([{ kind: 'display.added', data: { value: { id: '1' }, sinceBeforeSession: true } }])
    const [first] = shell.now.displays
    shell.now.displays = [first!, { id: '2', x: 1440, y: 0, width: 1920, height: 1080, primary: false }]
    shell.fire('display-added')
    await settle()
    shell.now.displays = [{ ...first!, width: 1680 }]
    shell.fire('display-removed')
    shell.fire('display-metrics-changed')
    await settle()
    await set.stop()
    expect(seen.slice(1)).toMatchObject([
      { kind: 'display.added', data: { value: { id: '2' }, baseline: [{ id: '1' }] } },
      { kind: 'display.removed', data: { value: { id: '2' } } },
      { kind: 'display.changed', data: { value: { id: '1', width: 1680 } } },
    ])
    expect(shell.listening()).toBe(0)
  })

  it('tell of sleep and waking, with how long it lasted', async () => {
    const { clock, shell, seen, set } = fed(createSleepObserver)
    await settle()
    shell.fire('suspend')
    clock.jumpWall(600_000)
    shell.fire('resume')
    shell.fire('resume')
    await set.stop()
    expect(seen.map(({ kind, data }) => [kind, data.value])).toEqual([
      ['power.suspended', {}],
      ['power.resumed', { asleepMs: 600_000 }],
    ])
    expect(shell.listening()).toBe(0)
  })

  it('tell of the lock on macOS and Windows, and do not count on it on Linux', async () => {
    const { shell, kinds, set } = fed(createScreenLockObserver, 'win32')
    await settle()
    for (const event of ['unlock-screen', 'lock-screen', 'lock-screen', 'unlock-screen'] as const) shell.fire(event)
    await set.stop()
    expect(kinds()).toEqual(['screen.unlocked', 'screen.locked', 'screen.unlocked'])
    const onLinux = createScreenLockObserver({ shell, platform: 'linux', env: {} })
    expect(await onLinux.probe()).toEqual({
      status: 'not_observable',
      why: 'Whether the screen is locked cannot be seen: this desktop does not tell it.',
    })
  })

  it('tell of idle time in the shell’s seconds', async () => {
    const { clock, shell, seen, set } = fed(createIdleObserver, 'linux')
    await settle()
    shell.now.idleSeconds = 59
    await clock.advance(5000)
    expect(seen).toEqual([])
    shell.now.idleSeconds = 60
    await clock.advance(5000)
    await clock.advance(5000)
    expect(seen).toHaveLength(1)
    shell.now.idleSeconds = 0
    await clock.advance(5000)
    await set.stop()
    expect(seen.map(({ kind, data }) => [kind, data.value, data.baseline])).toEqual([
      ['idle.started', { idleMs: 60_000 }, { idleMs: 0 }],
      ['idle.ended', { idleMs: 60_000 }, { idleMs: 0 }],
    ])
  })

  it('tell of devices by their labels, and of a label that the published list has', async () => {
    const { shell, seen, set } = fed(createDevicesObserver)
    await settle()
    shell.now.devices = [
      ...shell.now.devices,
      { kind: 'videoinput', label: 'OBS Virtual Camera (m-de:vice)', id: 'b2' },
      { kind: 'audiooutput', label: 'Speakers', id: 'c3' },
      { kind: 'audioinput', label: 'Default - Headset', id: 'default' },
      { kind: 'audioinput', label: '', id: 'd4' },
    ]
    shell.fire('media-devices-changed')
    await settle()
    await set.stop()
    expect(seen.map(({ kind, data }) => [kind, data.value])).toEqual([
      ['device.added', { kind: 'camera', name: 'FaceTime HD Camera', listed: null }],
      [
        'device.added',
        {
          kind: 'camera',
          name: 'OBS Virtual Camera (m-de:vice)',
          listed: { device: 'OBS Virtual Camera', kind: 'virtual_camera', listVersion: 1 },
        },
      ],
    ])
  })

  it('fail as a gap when the shell fails, and come back', async () => {
    const { clock, shell, gaps, kinds, set } = fed(createDisplaysObserver)
    await settle()
    const { displays } = shell.now
    shell.now.displays = []
    shell.fire('display-removed')
    await settle()
    shell.now.displays = displays
    await clock.advance(2000)
    await set.stop()
    expect(gaps).toMatchObject([{ observer: 'displays', why: 'the system lists no display' }])
    // The display that is found after the failure is the one that was told before it.
    expect(kinds()).toEqual(['display.added'])
  })

  it('are used wherever the shell is given, and only there', () => {
    const shell = fakeShell()
    const methods = createObservers({ shell, platform: 'win32', env: {} })
      .filter(({ method }) => method.startsWith('the desktop application'))
      .map(({ name }) => name)
    expect(methods).toEqual(['displays', 'idle', 'screen_lock', 'sleep', 'devices'])
    const none = createObservers({ platform: 'win32', env: {} })
    expect(none.some(({ method }) => method.startsWith('the desktop application'))).toBe(false)
  })
})
