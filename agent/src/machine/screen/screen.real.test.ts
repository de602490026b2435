import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeClip } from '../../../test/test-support/decode.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { createLane } from '../../core/capture/lane.ts'
import { type CaptureConfig, type CapturedItem, type Driver, defaultCaptureConfig } from '../../core/capture/types.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { stopChild } from '../../shared/child-process.ts'
import { createDisplaysObserver } from '../observers/displays.ts'
import { createScreenClipsDriver } from './screen-clips.ts'
import { createScreenStillsDriver, type Grabber, nativeGrabber, x11Grabber } from './screen-stills.ts'

const pixelWidth = 1280
const height = 720

const pixel = async (item: CapturedItem, x: number, y: number): Promise<number[]> => {
  const { data, info } = await sharp(item.bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return [...data.subarray(at, at + 3)]
}

/** How far a pixel is from a colour, in the worst channel; webp moves plain colours by a few steps. */
const distance = (given: number[], colour: number[]): number =>
  Math.max(...colour.map((value, channel) => Math.abs(value - given[channel]!)))

describe.skipIf(!canRunWith('screen lane', desktopPrograms))('the screen lane', () => {
  let desktop: VirtualDesktop
  let config: CaptureConfig

  beforeAll(async () => {
    desktop = await startVirtualDesktop({ width: pixelWidth, height: height, sound: false })
    // The native grabber reads the process's own environment, once.
    process.env['DISPLAY'] = desktop.display
    const screen = { ...defaultCaptureConfig.screen, stillIntervalMs: 300 }
    config = { ...defaultCaptureConfig, screen, env: desktop.env }
  })
  afterAll(() => desktop?.stop())

  const laneOf = (drivers: Driver[], extras: Driver[] = [], settings = config) => {
    const sink = recordingSink()
    return { sink, lane: createLane({ lane: 'screen', drivers, extras, sink, config: settings, random: () => 0 }) }
  }

  const grabbers: Grabber[] = [nativeGrabber, x11Grabber]
  it.each(grabbers)('$name: stills decode and show what the screen showed', async (grabber) => {
    await desktop.fill('#c02010')
    const { lane, sink } = laneOf([createScreenStillsDriver(grabber)])
    lane.start()
    await until('a still', () => sink.items.length === 1)
    await desktop.fill('#1040b0')
    await until('a second still', () => sink.items.length >= 2)
    await lane.stop()
    const [red, blue] = [sink.items[0]!, sink.items.at(-1)!]
    expect(red).toMatchObject({
      kind: 'screenshot',
      contentType: 'image/webp',
      meta: { width: pixelWidth, height: height },
    })
    expect(distance(await pixel(red, 600, 300), [0xc0, 0x20, 0x10])).toBeLessThan(8)
    expect(distance(await pixel(blue, 600, 300), [0x10, 0x40, 0xb0])).toBeLessThan(8)
    expect(sink.gaps).toEqual([])
  })

  it('reports a frame that did not change as unchanged, and delivers one anyway after the key interval', async () => {
    await desktop.fill('#202020')
    const settings = { ...config, screen: { ...config.screen, keyframeIntervalMs: 2000 } }
    const { lane, sink } = laneOf([createScreenStillsDriver()], [], settings)
    lane.start()
    await until('the key frame', () => sink.items.length === 2)
    await lane.stop()
    expect(sink.unchangedFrames.length).toBeGreaterThanOrEqual(2)
    expect(sink.unchangedFrames[0]!.at).toBeGreaterThan(sink.items[0]!.capturedAt)
    // By the clock of the grab, which comes sooner after its look on a quiet machine than on a busy one.
    expect(sink.items[1]!.capturedAt - sink.items[0]!.capturedAt).toBeGreaterThanOrEqual(1500)
  })

  it('delivers a still out of turn when asked, and says why', async () => {
    const settings = { ...config, screen: { ...config.screen, stillIntervalMs: 600_000 } }
    const { lane, sink } = laneOf([createScreenStillsDriver()], [], settings)
    lane.start()
    await until('the first still', () => sink.items.length === 1)
    const window = await desktop.openWindow('a note')
    lane.trigger('foreground_changed')
    await until('the still that was asked for', () => sink.items.length === 2)
    await lane.stop()
    await stopChild(window)
    expect(sink.items.map(({ meta }) => meta.trigger)).toEqual(['interval', 'foreground_changed'])
  })

  it('records clips that play by themselves, one after the other, beside the stills', async () => {
    const clips = { enabled: true, clipSeconds: 2, framesPerSecond: 5 }
    const settings = { ...config, screen: { ...config.screen, stillIntervalMs: 1000, clips } }
    const { lane, sink } = laneOf([createScreenStillsDriver()], [createScreenClipsDriver()], settings)
    const picture = await desktop.showMovingPicture()
    lane.start()
    await until('two clips', () => sink.ofKind('screen_clip').length >= 2)
    await lane.stop()
    await stopChild(picture)
    const [first, second] = sink.ofKind('screen_clip')
    expect(first).toMatchObject({ durationMs: 2000, contentType: 'video/mp4', displayId: 'screen' })
    expect(await probeClip(first!.bytes)).toEqual({ frames: 10, start: 0, width: pixelWidth })
    expect(await probeClip(second!.bytes)).toEqual({ frames: 10, start: 0, width: pixelWidth })
    expect(sink.ofKind('screenshot').length).toBeGreaterThanOrEqual(2)
  })

  it('gives each of two monitors its own stills and its own coverage', async () => {
    await desktop.fill('#305030')
    const { lane, sink } = laneOf([createScreenStillsDriver()])
    lane.start()
    await until('a still of the one screen', () => sink.items.length > 0)
    await desktop.splitIntoTwoMonitors()
    const window = await desktop.openWindow('left or right')
    const displays = () => new Set(sink.items.map(({ displayId }) => displayId))
    await until('stills of both', () => displays().has('LEFT') && displays().has('RIGHT'))
    await lane.stop()
    await stopChild(window)
    const left = sink.items.find(({ displayId }) => displayId === 'LEFT')!
    expect(left.meta).toMatchObject({ width: pixelWidth / 2, height: height })
    expect(await sharp(left.bytes).metadata()).toMatchObject({ width: pixelWidth / 2, height: height })
    const covered = lane.takeCoverage().map(({ displayId }) => displayId)
    expect(covered).toEqual(expect.arrayContaining([undefined, 'LEFT', 'RIGHT']))
  })

  it('expects nothing more of a monitor that is taken away, and goes on with the other', async () => {
    await desktop.splitIntoTwoMonitors()
    const { lane, sink } = laneOf([createScreenStillsDriver()])
    const observers = watch([createDisplaysObserver({ env: desktop.env, intervalMs: 200 })])
    lane.start()
    await until('stills of both', () => ['LEFT', 'RIGHT'].every((id) => sink.items.some((i) => i.displayId === id)))
    await until('what there was before', () => observers.seen.length > 0)
    await desktop.removeMonitor('RIGHT')
    await until('the removal to be told', () => observers.changes('display.removed').length > 0)
    const goneAt = Date.now()
    const looks = (id: string) => sink.unchangedFrames.filter(({ displayId, at }) => displayId === id && at > goneAt)
    await until('further looks at the other', () => looks('LEFT').length >= 3)
    lane.takeCoverage()
    const before = looks('LEFT').length
    await until('looks after those', () => looks('LEFT').length >= before + 3)
    const later = lane.takeCoverage()
    await lane.stop()
    await observers.set.stop()

    expect(observers.changes('display.removed').map(({ data }) => (data.value as { id: string }).id)).toEqual(['RIGHT'])
    expect(new Set(later.map(({ displayId }) => displayId))).toEqual(new Set([undefined, 'LEFT']))
    expect(looks('RIGHT')).toEqual([])
    // That a monitor goes away is no hole in what was to be recorded.
    expect(sink.gaps).toEqual([])
    expect(lane.health().state).not.toBe('down')
  })

  it('says that a screen without an X server is not observable', async () => {
    const settings = { ...config, env: { ...desktop.env, DISPLAY: undefined } }
    expect(await x11Grabber.probe(settings)).toMatchObject({ ok: false, reason: 'not_observable' })
    expect(await createScreenClipsDriver().probe(settings)).toMatchObject({ ok: false, reason: 'not_observable' })
  })

  it('falls back to the next grabber when the first gives no frame', async () => {
    const blind: Grabber = {
      name: 'blind',
      probe: async () => ({ ok: true }),
      grab: async () => ({ displays: ['screen'], frames: [] }),
    }
    const { lane, sink } = laneOf([createScreenStillsDriver(blind), createScreenStillsDriver(x11Grabber)])
    lane.start()
    await until('a still of the fallback', () => sink.items.length > 0)
    await lane.stop()
    expect(sink.items[0]!.meta.driver).toBe('ffmpeg-x11grab-stills')
    expect(sink.gaps[0]).toMatchObject({ reason: 'driver_failed' })
  })
})
