import { describe, expect, it } from 'vitest'
import { type ManualClock, manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { createLane } from '../../core/capture/lane.ts'
import { type CaptureConfig, defaultCaptureConfig, type LaneSink } from '../../core/capture/types.ts'
import { blockValues } from '../stills/fingerprint.ts'
import type { StreamSource } from './messages.ts'
import { createPageLinks } from './page-links.ts'
import type { PageDisplay } from './page-port.ts'
import { browserError, type FakeAnswers, fakePage } from './test-support/fake-page.ts'
import { createWebScreenDriver } from './web-screen.ts'

const left: PageDisplay = { id: 'left', width: 1920, height: 1080 }
const right: PageDisplay = { id: 'right', width: 1280, height: 720 }
const interval = 10_000

const config: CaptureConfig = {
  ...defaultCaptureConfig,
  screen: { ...defaultCaptureConfig.screen, stillIntervalMs: interval, keyframeIntervalMs: 5 * interval },
}
const energy = { squares: 0, peak: 0, samples: 0 }
const webp = Buffer.from('RIFF....WEBP of a display')

/** A desktop as the page sees it: what each display shows is one number for all its blocks. */
const desk = (clock: ManualClock) => {
  const shows = new Map([
    [left.id, 10],
    [right.id, 200],
  ])
  const open = new Map<string, string>()
  const opened: (string | undefined)[] = []
  /** Displays that the browser refuses to open, and those that give no frame but the first. */
  const refused = new Set<string>()
  const still = new Set<string>()
  const seen = new Set<string>()
  const answers: FakeAnswers = {
    open: ({ stream, source }) => {
      const { displayId = '' } = source as Extract<StreamSource, { kind: 'display' }>
      opened.push(displayId)
      if (refused.has(displayId)) throw browserError('NotReadableError')
      open.set(stream, displayId)
      return { value: { label: `screen:${displayId}`, deviceId: '' } }
    },
    confirm: () => ({ value: { state: 'same', at: clock.wallMs(), parts: [], energy } }),
    look: ({ stream }) => {
      const at = clock.wallMs()
      const display = open.get(stream)!
      if (still.has(display) && seen.has(stream)) return { value: { at } }
      seen.add(stream)
      const blocks = new Float32Array(blockValues).fill(shows.get(display)!)
      const { width, height } = display === left.id ? left : right
      const frame = { width, height, hash: '00000000000000ff', varies: true }
      return { value: { at, frame }, bytes: new Uint8Array(blocks.buffer) }
    },
    picture: () => ({ value: { contentType: 'image/webp', width: 1, height: 1 }, bytes: webp }),
    close: ({ stream }) => {
      open.delete(stream)
      return { value: { state: 'same', at: clock.wallMs(), parts: [], energy } }
    },
  }
  return { answers, shows, open, opened, refused, still }
}

const laneOver = (displays: PageDisplay[], change: Partial<LaneSink> = {}) => {
  const clock = manualClock()
  const desktop = desk(clock)
  const page = fakePage(desktop.answers, clock)
  const links = createPageLinks({ current: async () => page, displays: async () => displays }, clock)
  const sink = recordingSink()
  const driver = createWebScreenDriver(links, clock)
  // A probe answers from the inventory, which here is always the same.
  page.answers.inventory = () => ({
    value: { devices: [], permissions: { camera: 'granted', microphone: 'granted' }, recorders: [] },
  })
  const all = { ...sink, ...change }
  const lane = createLane({ lane: 'screen', drivers: [driver], sink: all, config, clock, random: () => 0 })
  const end = async (): Promise<void> => {
    const stopping = lane.stop()
    await clock.advance(11_000)
    await stopping
  }
  return { clock, desktop, page, sink, lane, end }
}

const stillsOf = (sink: ReturnType<typeof recordingSink>, displayId: string) =>
  sink.items.filter((item) => item.displayId === displayId)

describe('the screen lane over the capture page', () => {
  it('opens every display by its own id, and sends again only the one that changed', async () => {
    const { clock, desktop, sink, lane, end } = laneOver([left, right])
    lane.start()
    await clock.advance(1000)
    expect(desktop.opened).toEqual(['left', 'right'])
    expect(sink.items.map(({ displayId }) => displayId)).toEqual(['left', 'right'])
    desktop.shows.set('right', 90)
    await clock.advance(interval)
    expect(stillsOf(sink, 'left')).toHaveLength(1)
    expect(stillsOf(sink, 'right')).toHaveLength(2)
    expect(sink.unchangedFrames.map(({ displayId }) => displayId)).toEqual(['left'])
    // A still is due at the keyframe interval, changed or not.
    await clock.advance(5 * interval)
    expect(stillsOf(sink, 'left')).toHaveLength(2)
    await end()
    expect(sink.gaps).toEqual([])
    expect(desktop.open.size).toBe(0)
  })

  it('goes on with one display while another cannot be had, holds that one to account, and takes it up when it can', async () => {
    const { clock, desktop, sink, lane, end } = laneOver([left, right])
    desktop.refused.add('right')
    lane.start()
    await clock.advance(20_000)
    expect(stillsOf(sink, 'left')).toHaveLength(1)
    expect(stillsOf(sink, 'right')).toEqual([])
    expect(lane.health()).toMatchObject({ state: 'degraded', reason: 'display_not_observed' })
    desktop.refused.clear()
    await clock.advance(interval)
    expect(stillsOf(sink, 'right')).toHaveLength(1)
    expect(lane.health().state).toBe('up')
    await end()
    expect(sink.gaps).toMatchObject([{ displayId: 'right' }])
  })

  it('follows displays that come and go', async () => {
    const displays = [left]
    const { clock, desktop, sink, lane, end } = laneOver(displays)
    lane.start()
    await clock.advance(1000)
    displays.push(right)
    await clock.advance(interval)
    expect(stillsOf(sink, 'right')).toHaveLength(1)
    displays.shift()
    await clock.advance(interval)
    expect([...desktop.open.values()]).toEqual(['right'])
    expect(lane.health().state).toBe('up')
    await end()
    expect(sink.gaps).toEqual([])
  })

  it('opens a display anew that gives frames only when something moves', async () => {
    const { clock, desktop, sink, lane, end } = laneOver([left])
    desktop.still.add('left')
    lane.start()
    await clock.advance(1000 + 2 * interval)
    expect(desktop.opened).toHaveLength(3)
    expect(sink.unchangedFrames).toHaveLength(2)
    expect(lane.health().state).toBe('up')
    await end()
  })

  it('is not healthy over a page that is silent', async () => {
    const { clock, page, sink, lane, end } = laneOver([left])
    lane.start()
    await clock.advance(1000)
    expect(lane.health().state).toBe('up')
    page.answers.look = () => new Promise(() => undefined)
    await clock.advance(2 * interval)
    expect(lane.health()).toMatchObject({ state: 'down', reason: 'driver_failed' })
    await end()
    expect(sink.gaps).toMatchObject([{ reason: 'driver_failed' }, { displayId: 'left', reason: 'driver_failed' }])
  })

  it('is not healthy over a page whose pictures are none', async () => {
    const { clock, page, sink, lane, end } = laneOver([left])
    page.answers.picture = () => ({
      value: { contentType: 'image/png', width: 1, height: 1 },
      bytes: Buffer.from('<html>'),
    })
    lane.start()
    await clock.advance(1000)
    expect(sink.items).toEqual([])
    expect(lane.health().state).toBe('down')
    await end()
  })

  it('starts anew when a still cannot be kept, and does not count it as delivered', async () => {
    let full = true
    const kept: string[] = []
    const { clock, lane, end } = laneOver([left], {
      item: async ({ displayId }) => {
        if (full) throw new Error('the disk is full')
        kept.push(displayId!)
        return true
      },
    })
    lane.start()
    await clock.advance(100)
    expect(lane.health().state).toBe('down')
    full = false
    await clock.advance(1000)
    await settle()
    expect(kept).toEqual(['left'])
    expect(lane.health().state).toBe('up')
    await end()
  })
})
