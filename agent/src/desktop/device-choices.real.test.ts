import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCapturePage, type CaptureBrowser, startCaptureBrowser } from '../../test/test-support/capture-browser.ts'
import { manualClock, settle } from '../../test/test-support/manual-clock.ts'
import { until } from '../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../test/test-support/virtual-desktop.ts'
import { defaultCaptureConfig } from '../core/capture/types.ts'
import type { InputDevice } from '../machine/page/messages.ts'
import { createPageLinks } from '../machine/page/page-links.ts'
import { openStream } from '../machine/page/page-stream.ts'
import { chooseSound } from '../machine/page/source-choice.ts'
import { fakePage } from '../machine/page/test-support/fake-page.ts'
import { systemClock } from '../shared/clock.ts'
import { webDevices } from './device-choices.ts'

const input = (kind: InputDevice['kind'], deviceId: string, label = deviceId): InputDevice => ({
  kind,
  deviceId,
  groupId: '',
  label,
})

const choicesOver = (devices: InputDevice[]) => {
  const clock = manualClock()
  const permissions = { camera: 'granted', microphone: 'granted' }
  const page = fakePage({ inventory: () => ({ value: { devices, permissions, recorders: [] } }) }, clock)
  return { page, choices: webDevices(createPageLinks({ current: async () => page }, clock)) }
}

describe('the devices that the capture page lists', () => {
  it('are offered each once, as the source of its lane alone', async () => {
    const { choices } = choicesOver([
      input('audioinput', 'default', 'Default - Desk'),
      input('audioinput', 'd1', 'Desk'),
      input('audiooutput', 's1', 'Speakers'),
      input('videoinput', 'c1', 'Lid'),
    ])
    expect(await choices.list(['screen', 'microphone', 'system_audio', 'camera'])).toEqual([
      { lane: 'microphone', id: 'd1', label: 'Desk' },
      { lane: 'camera', id: 'c1', label: 'Lid' },
    ])
    expect(await choices.list(['microphone'])).toHaveLength(1)
    expect(choices.choose({}, 'microphone', 'd1')).toEqual({ micSource: 'd1' })
    expect(choices.choose({}, 'camera', 'c1')).toEqual({ cameraDevice: 'c1' })
    expect(choices.choose({}, 'system_audio', 's1')).toEqual({})
  })

  it('have a number in place of a name that is not told, and are none without ids', async () => {
    const { choices } = choicesOver([
      input('videoinput', 'c1', ''),
      input('videoinput', 'c2', 'Lid'),
      input('videoinput', 'c3', ''),
      input('audioinput', '', ''),
    ])
    const labels = (await choices.list(['camera', 'microphone'])).map(({ label }) => label)
    expect(labels).toEqual(['Camera 1', 'Lid', 'Camera 3'])
  })

  it('are told to have changed, until nobody asks any more', async () => {
    const { page, choices } = choicesOver([])
    let told = 0
    const stop = choices.watch?.(() => {
      told += 1
    })
    await settle()
    page.say({ news: 'devices' })
    page.say({ news: 'stream', stream: 'one' })
    expect(told).toBe(1)
    stop?.()
    page.say({ news: 'devices' })
    expect(told).toBe(1)
  })

  it('are none where there is no page', async () => {
    const gone = { current: () => Promise.reject(new Error('no window')) }
    const choices = webDevices(createPageLinks(gone, manualClock()))
    expect(await choices.list(['camera'])).toEqual([])
    choices.watch?.(() => undefined)()
  })
})

const programs = [...desktopPrograms, ...soundPrograms, 'chromium']

describe.skipIf(!canRunWith('devices of a browser', programs))('the devices of a real browser', () => {
  let folder: string
  let desktop: VirtualDesktop
  let browser: CaptureBrowser

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'choices-'))
    await buildCapturePage(folder)
    desktop = await startVirtualDesktop()
    browser = await startCaptureBrowser({ folder, env: desktop.env })
  })
  afterAll(async () => {
    await browser?.stop()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are listed with one that has just come, which is then recorded when it is chosen', async () => {
    const links = createPageLinks(browser.pages, systemClock)
    const choices = webDevices(links)
    const headset = async () => (await choices.list(['microphone'])).find(({ label }) => label === 'The-headset')
    expect(await headset()).toBeUndefined()
    const description = 'source_properties=device.description=The-headset'
    await desktop.loadModule('module-remap-source', 'source_name=headset', 'master=micfeed.monitor', description)
    // Chromium tells of sound devices by udev, which knows nothing of this one: here nobody tells, and the list is read.
    await until('the headset', async () => (await headset()) !== undefined)

    const found = (await headset())!
    const source = choices.choose({}, 'microphone', found.id).micSource!
    const config = { ...defaultCaptureConfig, microphone: { ...defaultCaptureConfig.microphone, source } }
    const { value } = await (await links.current()).request('inventory', {})
    const chosen = await chooseSound('microphone', value.devices, config, 'darwin')
    const stream = await openStream(links, chosen)
    expect(stream.opened.label).toBe('The-headset')
    await stream.close()
  })
})
