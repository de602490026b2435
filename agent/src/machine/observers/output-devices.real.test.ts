import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { runCommand } from '../../shared/child-process.ts'
import { createOutputDevicesObserver } from './machine-facts.ts'

describe.skipIf(!canRunWith('who plays', ['Xvfb', 'openbox', 'xprop', ...soundPrograms]))(
  'the device that plays sound',
  () => {
    let desktop: VirtualDesktop
    beforeAll(async () => {
      desktop = await startVirtualDesktop()
    })
    afterAll(() => desktop?.stop())

    it('is named at the start, and when another one takes its place', async () => {
      const { seen, gaps, set } = watch([createOutputDevicesObserver({ env: desktop.env })])
      await until('the first look', () => seen.length > 0)
      const properties = 'sink_properties=device.description=Headset'
      await desktop.loadModule('module-null-sink', 'sink_name=usb_serial_77', properties)
      await runCommand('pactl', ['set-default-sink', 'usb_serial_77'], { env: desktop.env })
      await until('the headset', () => seen.length > 1)
      await set.stop()
      expect(seen.map(({ data }) => [data.value, data.sinceBeforeSession])).toEqual([
        [{ name: expect.any(String) }, true],
        [{ name: 'Headset' }, undefined],
      ])
      expect(JSON.stringify(seen)).not.toContain('serial')
      expect(gaps).toEqual([])
    })
  },
)
