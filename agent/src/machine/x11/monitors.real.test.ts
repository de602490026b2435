import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunWith, startVirtualDesktop, type VirtualDesktop } from '../../../test/test-support/virtual-desktop.ts'
import { listXMonitors } from './monitors.ts'

describe.skipIf(!canRunWith('X11 monitors', ['Xvfb', 'openbox', 'xprop', 'xrandr']))(
  'the monitors of an X display',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop({ sound: false })
    })
    afterAll(() => desktop?.stop())

    it('are listed by name, size and place, also when they change while the connection is kept', async () => {
      const size = { width: 1280, height: 720 }
      expect(await listXMonitors(desktop.env)).toEqual([{ id: 'screen', x: 0, y: 0, ...size, primary: false }])
      await desktop.splitIntoTwoMonitors()
      const half = { y: 0, width: 640, height: 720, primary: false }
      const two = await listXMonitors(desktop.env)
      expect(two).toHaveLength(2)
      expect(two).toEqual(
        expect.arrayContaining([
          { id: 'LEFT', x: 0, ...half },
          { id: 'RIGHT', x: 640, ...half },
        ]),
      )
    })

    it('are an error once the server has gone, and where there is none', async () => {
      const gone = await startVirtualDesktop({ sound: false })
      await listXMonitors(gone.env)
      await gone.stop()
      await expect(listXMonitors(gone.env)).rejects.toThrow()
      await expect(listXMonitors({})).rejects.toThrow('there is no X display')
      expect((await listXMonitors(desktop.env)).length).toBeGreaterThan(0)
    })
  },
)
