import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCapturePage,
  type CaptureBrowser,
  startCaptureBrowser,
} from '../../../test/test-support/capture-browser.ts'
import { decodeSound, heardAmplitude, toneAmplitude } from '../../../test/test-support/decode.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { createLane, type Lane } from '../../core/capture/lane.ts'
import {
  type CaptureConfig,
  type CapturedItem,
  type Driver,
  defaultCaptureConfig,
  type LaneName,
} from '../../core/capture/types.ts'
import { stopChild } from '../../shared/child-process.ts'
import { systemClock } from '../../shared/clock.ts'
import { createPageLinks, type PageLinks } from './page-links.ts'
import { onDevicesChanged } from './web-devices.ts'
import { createWebMicrophoneDriver, createWebSystemAudioDriver } from './web-sound.ts'

const micTone = 440
const speakerTone = 1250
/** Played at half amplitude; a quarter of that is well above what leaks through an encoder. */
const heardLevel = 0.12
const notHeard = 0.01

const joined = async (items: CapturedItem[]): Promise<Float32Array> => {
  const parts = await Promise.all(items.map(({ bytes }) => decodeSound(bytes)))
  return Float32Array.from(parts.flatMap((part) => [...part]))
}

const programs = [...desktopPrograms, ...soundPrograms, 'chromium']

describe.skipIf(!canRunWith('sound lanes of the capture page', programs))('sound lanes of the capture page', () => {
  let folder: string
  let desktop: VirtualDesktop
  let browser: CaptureBrowser
  let links: PageLinks
  let config: CaptureConfig
  let repeater: string

  /** As a person does in the browser's own settings. */
  const deny = async (name: string): Promise<void> => {
    const page = browser.page()
    const debug = await page.context().newCDPSession(page)
    const { browserContextId } = (await debug.send('Target.getTargetInfo')).targetInfo
    const { origin } = new URL(browser.url)
    const settings = { permission: { name }, setting: 'denied', origin, browserContextId } as const
    await (await browser.browser.newBrowserCDPSession()).send('Browser.setPermission', settings)
  }

  /** A source with a name that only it has, which is how a browser's list and the sound server's are matched. */
  const addSource = (name: string, sink: string): Promise<string> =>
    desktop.loadModule(
      'module-remap-source',
      `source_name=${name}`,
      `master=${sink}.monitor`,
      `source_properties=device.description=The-${name}`,
    )

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capture-page-'))
    await buildCapturePage(folder)
    desktop = await startVirtualDesktop()
    await addSource('desk-mic', 'micfeed')
    repeater = await addSource('repeater', 'speaker')
    browser = await startCaptureBrowser({ folder, env: desktop.env })
    links = createPageLinks(browser.pages, systemClock)
    const sound = { chunkSeconds: 2, bitrateKbps: 24 }
    config = {
      ...defaultCaptureConfig,
      microphone: { ...sound, source: 'desk-mic' },
      systemAudio: { ...sound, source: 'repeater' },
      env: desktop.env,
    }
  })
  afterAll(async () => {
    await browser?.stop()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const laneOf = (lane: LaneName, driver: Driver, settings = config) => {
    const sink = recordingSink()
    return { sink, lane: createLane({ lane, drivers: [driver], sink, config: settings, random: () => 0 }) }
  }
  const isUp = (lane: Lane) => until(`${lane.name} to be up`, () => lane.health().state === 'up')

  it('record the microphone and what the speakers play at the same time, each without the other', async () => {
    const mic = laneOf('microphone', createWebMicrophoneDriver(links))
    const system = laneOf('system_audio', createWebSystemAudioDriver(links))
    mic.lane.start()
    system.lane.start()
    const tones = [await desktop.playTone('micfeed', micTone, 60), await desktop.playTone('speaker', speakerTone, 60)]
    await until('three segments of each', () => mic.sink.items.length >= 3 && system.sink.items.length >= 3)
    await Promise.all([mic.lane.stop(), system.lane.stop()])
    await Promise.all(tones.map((tone) => stopChild(tone)))

    const [voice, played] = [await joined(mic.sink.items), await joined(system.sink.items)]
    expect(heardAmplitude(voice, micTone)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(voice, speakerTone)).toBeLessThan(notHeard)
    expect(heardAmplitude(played, speakerTone)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(played, micTone)).toBeLessThan(notHeard)
    expect(mic.sink.items[1]).toMatchObject({
      kind: 'audio_chunk',
      contentType: 'audio/webm',
      meta: { codec: 'opus', channels: 1, device: 'The-desk-mic', driver: 'web-microphone', sequence: 1 },
    })
    // A sine of half amplitude: −6 dBFS at its peak, 3 dB less in its mean.
    expect(mic.sink.items[1]!.meta.peakDb).toBeGreaterThan(-14)
    expect(system.sink.items[1]).toMatchObject({ kind: 'system_audio_chunk', meta: { device: 'The-repeater' } })
    expect([...mic.sink.gaps, ...system.sink.gaps]).toEqual([])
  })

  it('lose nothing between two segments: each goes on until the next has begun', async () => {
    const { lane, sink } = laneOf('microphone', createWebMicrophoneDriver(links))
    lane.start()
    await until('four segments', () => sink.items.length >= 4)
    await lane.stop()
    for (const [i, item] of sink.items.slice(0, 3).entries()) {
      const next = sink.items[i + 1]!
      expect(next.capturedAt).toBeLessThanOrEqual(item.capturedAt + item.durationMs!)
      const decodedMs = (await decodeSound(item.bytes)).length / 16
      // The encoder's packets are 60 ms long, and the page hears of the first one a moment later.
      expect(decodedMs).toBeGreaterThan(next.capturedAt - item.capturedAt - 200)
    }
  })

  it('are healthy in silence, which is measured', async () => {
    const { lane, sink } = laneOf('system_audio', createWebSystemAudioDriver(links))
    lane.start()
    await isUp(lane)
    await until('a segment', () => sink.items.length > 0)
    await lane.stop()
    expect(sink.items[0]!.meta.levelDb).toBeLessThanOrEqual(-90)
    expect(sink.gaps).toEqual([])
  })

  it('end the segment when their source vanishes, hear no other in its place, and come back with it', async () => {
    const { lane, sink } = laneOf('system_audio', createWebSystemAudioDriver(links))
    let changes = 0
    const forget = await onDevicesChanged(links, () => {
      changes += 1
    })
    const tones = [await desktop.playTone('micfeed', micTone, 90), await desktop.playTone('speaker', speakerTone, 90)]
    lane.start()
    await until('a segment', () => sink.items.length >= 1)
    await desktop.unloadModule(repeater)
    await until('the lane to be down', () => lane.health().state === 'down')
    expect(lane.health().reason).toBe('unplugged')
    const before = sink.items.length
    repeater = await addSource('repeater', 'speaker')
    await until('another segment', () => sink.items.length > before, 60_000)
    await lane.stop()
    await Promise.all(tones.map((tone) => stopChild(tone)))
    forget()

    const heard = await joined(sink.items)
    expect(heardAmplitude(heard, speakerTone)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(heard, micTone)).toBeLessThan(notHeard)
    expect(sink.gaps.map(({ reason }) => reason)).toContain('unplugged')
    expect(changes).toBeGreaterThan(0)
  })

  it('keep what was handed over when the page is loaded anew, name the gap, and go on in the new page', async () => {
    const settings = { ...config, microphone: { ...config.microphone, chunkSeconds: 60 } }
    const { lane, sink } = laneOf('microphone', createWebMicrophoneDriver(links), settings)
    const heard: number[] = []
    sink.sample = (_lane, { at }) => void heard.push(at)
    lane.start()
    await until('three seconds to be heard', () => heard.length > 0 && heard.at(-1)! - heard[0]! >= 3000)
    const connections = browser.connections()
    await browser.page().reload()
    const states = () => sink.healthReports.map(({ state }) => state)
    await until('the lane to be down and up again', () => states().includes('down') && states().at(-1) === 'up')
    await lane.stop()
    expect(browser.connections()).toBe(connections + 1)
    expect(sink.gaps).toMatchObject([{ reason: 'driver_failed' }])
    // The segment that the reload cut short was a minute long, and none of it had been in the page alone.
    expect(sink.items).toHaveLength(2)
    expect((await decodeSound(sink.items[0]!.bytes)).length).toBeGreaterThan(16_000)
  })

  it('are possible with a source that is there alone', async () => {
    const absent = { ...config, microphone: { ...config.microphone, source: 'studio' } }
    expect(await createWebMicrophoneDriver(links).probe(absent)).toMatchObject({ ok: false, reason: 'unplugged' })
    expect(await createWebMicrophoneDriver(links).probe(config)).toEqual({ ok: true })
  })

  it('lapse when permission is withdrawn, come back with it, and are refused where it is denied', async () => {
    const { lane, sink } = laneOf('microphone', createWebMicrophoneDriver(links))
    lane.start()
    await isUp(lane)
    await browser.page().context().clearPermissions()
    await until('the lane to be down', () => lane.health().state === 'down')
    expect(lane.health().reason).toBe('permission_lapsed')
    await browser.page().context().grantPermissions(['camera', 'microphone'])
    await until('the lane to be up again', () => lane.health().state === 'up', 60_000)
    await lane.stop()
    expect(sink.gaps.map(({ reason }) => reason)).toContain('permission_lapsed')
    await deny('microphone')
    const probe = await createWebMicrophoneDriver(links).probe(config)
    expect(probe).toMatchObject({ ok: false, reason: 'permission_denied' })
  })

  it('never break the policy of the page', () => {
    expect(browser.errors).toEqual([])
  })
})
