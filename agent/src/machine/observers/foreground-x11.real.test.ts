import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith, startVirtualDesktop, type VirtualDesktop } from '../../../test/test-support/virtual-desktop.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { type PretendedManager, pretendManager } from '../x11/test-support/pretended-manager.ts'
import { xServerBehind } from '../x11/test-support/x-server.ts'
import { createX11ForegroundObserver } from './foreground-x11.ts'

const noManager = 'Which program is in front cannot be seen: this window manager does not say it.'

describe.skipIf(!canRunWith('the application in front', ['Xvfb']))('the observer of the application in front', () => {
  let desktop: VirtualDesktop
  let manager: PretendedManager
  beforeAll(async () => {
    desktop = await startVirtualDesktop({ sound: false, windowManager: false })
  })
  afterAll(() => desktop?.stop())

  const applications = (seen: { data: { value: unknown } }[]) =>
    seen.map(({ data }) => (data.value as { application: string | null }).application)
  const started = async (): Promise<void> => {
    manager = await pretendManager(desktop.env)
    await manager.say(await manager.window({ WM_CLASS: 'one\0One\0' }))
  }
  const ended = async (): Promise<void> => {
    await manager.say(undefined)
    manager.close()
  }

  it('says why it cannot observe: no window manager, no X server', async () => {
    expect(await createX11ForegroundObserver({ env: desktop.env }).probe()).toEqual({
      status: 'not_observable',
      why: noManager,
    })
    expect(await createX11ForegroundObserver({ env: { DISPLAY: ':60999' } }).probe()).toEqual({
      status: 'not_observable',
      why: 'Which program is in front cannot be seen: the X server does not answer.',
    })
  })

  it('is blind while the window manager is gone, and never says that nothing was in front then', async () => {
    await started()
    const { seen, gaps, set } = watch([createX11ForegroundObserver({ env: desktop.env })])
    await until('the first', () => seen.length === 1)
    await ended()
    await started()
    await manager.say(await manager.window({ WM_CLASS: 'two\0Two\0' }))
    await until('the second', () => applications(seen).includes('Two'))
    await set.stop()
    await ended()
    expect(gaps[0]).toMatchObject({ observer: 'foreground', why: expect.stringContaining('does not say') })
    expect(applications(seen)).not.toContain(null)
  })

  it('leaves a gap when the connection is lost, and goes on over another', async () => {
    await started()
    const way = await xServerBehind(desktop.env)
    const { seen, gaps, set } = watch([createX11ForegroundObserver({ env: way.env })])
    await until('the first', () => seen.length === 1)
    way.cut()
    await manager.say(await manager.window({ WM_CLASS: 'two\0Two\0' }))
    await until('its return', () => gaps.length === 1 && applications(seen).includes('Two'))
    await set.stop()
    way.close()
    await ended()
    expect(gaps[0]).toMatchObject({ observer: 'foreground', why: 'the X server ended the connection' })
    expect(seen[0]!.data).toMatchObject({ value: { application: 'One' }, sinceBeforeSession: true })
    expect(seen[1]!.data.sinceBeforeSession).toBeUndefined()
  })

  it('names no program that helps a person, nor what it shows', async () => {
    await started()
    const { seen, set } = watch([createX11ForegroundObserver({ env: desktop.env, windowTitles: true })])
    await until('the first', () => seen.length === 1)
    await manager.say(await manager.window({ WM_CLASS: 'kmag\0KMag\0', _NET_WM_NAME: 'Enlarged' }))
    await until('the helping one', () => seen.length === 2)
    await manager.say(await manager.window({ WM_CLASS: 'b\0Two\0' }))
    await until('the other', () => seen.length === 3)
    await set.stop()
    await ended()
    expect(applications(seen)).toEqual(['One', null, 'Two'])
    expect(JSON.stringify(seen)).not.toMatch(/kmag|Enlarged/i)
  })

  it('names no application for a window without a class, and cuts a long name', async () => {
    await started()
    const { seen, set } = watch([createX11ForegroundObserver({ env: desktop.env })])
    await until('the first', () => seen.length === 1)
    await manager.say(await manager.window())
    await until('the nameless', () => seen.length === 2)
    await manager.say(await manager.window({ WM_CLASS: `a\0${'x'.repeat(5000)}\0` }))
    await until('the long one', () => seen.length === 3)
    await set.stop()
    await ended()
    expect(applications(seen)).toEqual(['One', null, 'x'.repeat(300)])
  })

  it('asks little when windows flood it, and still tells the last', async () => {
    await started()
    const { seen, gaps, set } = watch([createX11ForegroundObserver({ env: desktop.env })])
    await until('the first', () => seen.length === 1)
    const windows = [await manager.window({ WM_CLASS: 'a\0A\0' }), await manager.window({ WM_CLASS: 'b\0B\0' })]
    for (let turn = 0; turn < 3000; turn += 1) await manager.say(windows[turn % 2])
    await manager.say(await manager.window({ WM_CLASS: 'last\0Last\0' }))
    await until('the last', () => applications(seen).at(-1) === 'Last')
    await set.stop()
    await ended()
    expect(seen.length).toBeLessThan(300)
    expect(gaps).toEqual([])
  })
})
