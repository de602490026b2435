import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunWith, startVirtualDesktop, type VirtualDesktop } from '../../../test/test-support/virtual-desktop.ts'
import { commandText } from '../../shared/child-process.ts'
import { parseXrandrMonitors } from '../screen/displays.ts'
import { listXMonitors } from './monitors.ts'

describe.skipIf(!canRunWith('X11 monitors', ['Xvfb', 'openbox', 'xprop', 'xrandr']))(
  'the monitors of an X display',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop({ sound: false })
    })
    afterAll(() => desktop?.stop())

    const byXrandr = async () =>
      parseXrandrMonitors((await commandText('xrandr', ['--listmonitors'], { env: desktop.env })) ?? '')

    it('are those that xrandr lists, also when they change while the connection is kept', async () => {
      const one = await listXMonitors(desktop.env)
      expect(one).toEqual(await byXrandr())
      expect(one).toHaveLength(1)
      await desktop.splitIntoTwoMonitors()
      const two = await listXMonitors(desktop.env)
      expect(two).toEqual(await byXrandr())
      expect(two.map(({ id }) => id)).toEqual(expect.arrayContaining(['LEFT', 'RIGHT']))
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
