import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCapturePage,
  type CaptureBrowser,
  startCaptureBrowser,
} from '../../../test/test-support/capture-browser.ts'
import { probeClip } from '../../../test/test-support/decode.ts'
import { decodePicture, difference, type Pixels, testPictures } from '../../../test/test-support/pictures.ts'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../../../test/test-support/virtual-desktop.ts'
import { createLane, type Lane } from '../../core/capture/lane.ts'
import {
  type CaptureConfig,
  type Driver,
  defaultCaptureConfig,
  type LaneName,
  type PictureLook,
} from '../../core/capture/types.ts'
import { runCommand, stopChild } from '../../shared/child-process.ts'
import { systemClock } from '../../shared/clock.ts'
import { JpegSplitter } from '../ffmpeg/jpeg-stream.ts'
import { createPageLinks, type PageLinks } from './page-links.ts'
import { createWebCameraDriver } from './web-camera.ts'
import { createWebScreenDriver } from './web-screen.ts'
import { createWebScreenClipsDriver } from './web-screen-clips.ts'

const pixelWidth = 1280
const height = 720
/** Mean difference of two lossy copies of one picture; other test pictures differ by far more. */
const alike = 6
/** The picture fills the display but for a bar at its edge. */
const mostlyAlike = 20

const shownPicture = `smptehdbars=size=${pixelWidth}x${height}:rate=1`
const filmedPicture = 'testsrc2=size=320x240:rate=5:duration=2'

describe.skipIf(!canRunWith('picture lanes of the capture page', [...desktopPrograms, 'ffprobe', 'chromium']))(
  'picture lanes of the capture page',
  () => {
    let folder: string
    let desktop: VirtualDesktop
    let browser: CaptureBrowser
    let links: PageLinks
    let filmed: Pixels[]
    let config: CaptureConfig

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'capture-page-'))
      await buildCapturePage(join(folder, 'page'))
      const film = await testPictures(filmedPicture)
      filmed = await Promise.all(new JpegSplitter().push(film).map(decodePicture))
      const camera = join(folder, 'webcam.mjpeg')
      await writeFile(camera, film)
      desktop = await startVirtualDesktop({ width: pixelWidth, height: height, sound: false })
      browser = await startCaptureBrowser({
        folder: join(folder, 'page'),
        env: desktop.env,
        args: [
          '--auto-select-desktop-capture-source=Entire screen',
          '--use-fake-device-for-media-stream',
          `--use-file-for-fake-video-capture=${camera}`,
        ],
      })
      links = createPageLinks(browser.pages, systemClock)
      config = {
        ...defaultCaptureConfig,
        screen: {
          ...defaultCaptureConfig.screen,
          stillIntervalMs: 500,
          clips: { enabled: true, clipSeconds: 2, framesPerSecond: 5 },
        },
        camera: { stills: true, stillIntervalMs: 500, clips: true, clipSeconds: 2, framesPerSecond: 10 },
        env: desktop.env,
      }
    })
    afterAll(async () => {
      await browser?.stop()
      await desktop?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const laneOf = (lane: LaneName, driver: Driver, settings = config, extras: Driver[] = []) => {
      const sink = recordingSink()
      return { sink, lane: createLane({ lane, drivers: [driver], extras, sink, config: settings, random: () => 0 }) }
    }
    const isUp = (lane: Lane) => until(`${lane.name} to be up`, () => lane.health().state === 'up')

    it('the screen: a still is, pixel by pixel, what the display shows, and what does not change is not sent again', async () => {
      const shown = await decodePicture(await testPictures(`${shownPicture}:duration=1`))
      const args = [
        '-loglevel',
        'quiet',
        '-noborder',
        '-left',
        '0',
        '-top',
        '0',
        '-an',
        '-f',
        'lavfi',
        '-i',
        shownPicture,
      ]
      const player = desktop.launch('ffplay', args)
      const { lane, sink } = laneOf('screen', createWebScreenDriver(links))
      lane.start()
      /** What the display holds now, by another program: the browser may have put a bar of its own over the picture. */
      const grabbed = async (): Promise<Pixels> => {
        const grab = [
          '-loglevel',
          'error',
          '-f',
          'x11grab',
          '-i',
          desktop.display,
          '-frames:v',
          '1',
          '-f',
          'image2pipe',
        ]
        const { stdout } = await runCommand('ffmpeg', [...grab, '-c:v', 'png', 'pipe:1'], { env: desktop.env })
        return decodePicture(stdout)
      }
      const looksLikeIt = async (): Promise<boolean> => {
        // The browser's own window may come to the front late.
        await runCommand('xdotool', ['search', '--class', 'ffplay', 'windowraise'], { env: desktop.env })
        const last = sink.items.at(-1)
        if (last === undefined) return false
        const display = await grabbed()
        if (difference(display, shown) > mostlyAlike) return false
        return difference(await decodePicture(last.bytes), display) < alike
      }
      let still = sink.items.at(-1)
      try {
        await until('a still of the picture', looksLikeIt)
        still = sink.items.at(-1)
        const seen = sink.unchangedFrames.length
        await until('looks at a display that does not change', () => sink.unchangedFrames.length >= seen + 2)
      } finally {
        await lane.stop()
        await stopChild(player)
      }

      expect(still).toMatchObject({
        kind: 'screenshot',
        contentType: 'image/webp',
        displayId: expect.stringMatching(/^screen:/),
        meta: { width: pixelWidth, height: height, driver: 'web-screen' },
      })
      expect(still?.meta.hash).toMatch(/^[0-9a-f]{16}$/)
      expect(sink.gaps).toEqual([])
      const ids = new Set(lane.takeCoverage().map(({ displayId }) => displayId))
      expect(ids).toEqual(new Set([undefined, still?.displayId]))
    })

    it('the screen: a trigger gives a still at once, of a frame that is newer than the trigger', async () => {
      const rare = { ...config, screen: { ...config.screen, stillIntervalMs: 600_000 } }
      const { lane, sink } = laneOf('screen', createWebScreenDriver(links), rare)
      await desktop.fill('#204060')
      lane.start()
      try {
        await until('the first still', () => sink.items.length === 1)
        await desktop.fill('#c02010')
        lane.trigger('foreground_changed')
        await until('the still that was asked for', () => sink.items.length === 2)
      } finally {
        await lane.stop()
      }
      expect(sink.items[1]!.meta.trigger).toBe('foreground_changed')
      const { data } = await decodePicture(sink.items[1]!.bytes)
      const corner = [...data.subarray(data.length - 3)]
      expect(Math.max(...[0xc0, 0x20, 0x10].map((value, i) => Math.abs(value - corner[i]!)))).toBeLessThan(12)
    })

    it('the screen: clips beside the stills, which decode and follow each other', async () => {
      const moving = await desktop.showMovingPicture()
      const { lane, sink } = laneOf('screen', createWebScreenDriver(links), config, [createWebScreenClipsDriver(links)])
      lane.start()
      await until('two clips', () => sink.ofKind('screen_clip').length >= 2)
      await lane.stop()
      await stopChild(moving)
      const [first, second] = sink.ofKind('screen_clip')
      expect(first).toMatchObject({
        contentType: 'video/webm',
        meta: { codec: 'vp8', width: pixelWidth, height: height },
      })
      expect(second!.capturedAt).toBeLessThanOrEqual(first!.capturedAt + first!.durationMs!)
      for (const { bytes } of [first!, second!]) {
        const { frames, width } = await probeClip(bytes)
        expect(frames).toBeGreaterThan(1)
        expect(width).toBe(pixelWidth)
      }
    })

    it('the camera: stills are frames of what it films, and clips decode', async () => {
      const marks: string[] = []
      const onCameraLook = ({ mark }: PictureLook) => void marks.push(mark)
      const { lane, sink } = laneOf('camera', createWebCameraDriver(links), { ...config, onCameraLook })
      lane.start()
      await until('stills and clips', () => {
        return sink.ofKind('camera_frame').length >= 3 && sink.ofKind('camera_clip').length >= 2
      })
      await lane.stop()
      expect(filmed).toHaveLength(10)
      for (const still of sink.ofKind('camera_frame').slice(0, 3)) {
        expect(still).toMatchObject({ contentType: 'image/webp', meta: { width: 320, height: 240 } })
        const picture = await decodePicture(still.bytes)
        expect(Math.min(...filmed.map((frame) => difference(picture, frame)))).toBeLessThan(alike)
      }
      const clip = sink.ofKind('camera_clip')[0]!
      expect(clip).toMatchObject({ contentType: 'video/webm', meta: { codec: 'vp8', sequence: 0 } })
      const { frames, width } = await probeClip(clip.bytes)
      expect(frames).toBeGreaterThan(1)
      expect(width).toBe(320)
      expect(sink.gaps).toEqual([])
      expect(marks.length).toBeGreaterThanOrEqual(3)
      expect(new Set(marks.slice(0, 10)).size).toBeGreaterThan(1)
    })

    it('the camera: a capture process that is killed leaves a gap, and the lane goes on', async () => {
      const { lane, sink } = laneOf('camera', createWebCameraDriver(links))
      lane.start()
      await isUp(lane)
      const pid = await captureProcess()
      process.kill(pid, 'SIGKILL')
      await until('the gap to be closed', () => sink.gaps.length > 0)
      await isUp(lane)
      await lane.stop()
      expect(sink.gaps).toMatchObject([{ lane: 'camera', reason: 'driver_failed' }])
    })

    it('a page that crashes leaves a gap in the lane, which goes on in the next page', async () => {
      const { lane, sink } = laneOf('screen', createWebScreenDriver(links))
      lane.start()
      await isUp(lane)
      const connections = browser.connections()
      await browser.crash()
      await until('the lane to be down', () => lane.health().state === 'down')
      await browser.reopen()
      await until('the lane to be up again', () => lane.health().state === 'up' && sink.gaps.length > 0, 60_000)
      await lane.stop()
      expect(browser.connections()).toBe(connections + 1)
      expect(new Set(sink.gaps.map(({ reason }) => reason))).toEqual(new Set(['driver_failed']))
    })

    it('never break the policy of the page', () => {
      expect(browser.errors).toEqual([])
    })

    /** The process of this browser that reads cameras. */
    const captureProcess = async (): Promise<number> => {
      const { stdout } = await runCommand('ps', ['-ww', '-eo', 'pid,ppid,args'])
      const processes = stdout
        .toString()
        .split('\n')
        .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
        .map(([, pid, parent, args = '']) => ({ pid: Number(pid), parent: Number(parent), args }))
      const own = processes.find(({ args }) => args.includes(folder) && !args.includes('--type='))
      return processes.find(({ parent, args }) => parent === own?.pid && args.includes('video_capture'))!.pid
    }
  },
)
