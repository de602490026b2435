import { Monitor } from 'node-screenshots'
import {
  type CaptureConfig,
  type Driver,
  DriverError,
  type DriverSink,
  type ProbeResult,
} from '../../core/capture/types.ts'
import { runCommand } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { findFfmpeg, requireFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { fingerprint, type RawFrame, type Rectangle } from '../stills/fingerprint.ts'
import { sharp, smallOf, webpEffort } from '../stills/pictures.ts'
import { createStillRecorder, type StillFrame, screenLookMs } from '../stills/still-recorder.ts'
import { type Display, listXDisplays } from './displays.ts'

/** Reads the pixels of every display. A display whose pixels cannot be had is left out of the answer. */
export interface Grabber {
  name: string
  probe(config: CaptureConfig): Promise<ProbeResult>
  grab(config: CaptureConfig): Promise<{ displays: string[]; frames: StillFrame[] }>
}

const pictureOf = (frame: RawFrame, area: Rectangle) => {
  const raw = { width: frame.width, height: frame.height, channels: 4 as const }
  return sharp(frame.pixels, { raw })
    .extract({ left: area.x, top: area.y, width: area.width, height: area.height })
    .removeAlpha()
}

/** A display's part of a frame. */
const stillOf = (displayId: string, frame: RawFrame, area: Rectangle): StillFrame => ({
  displayId,
  width: area.width,
  height: area.height,
  print: fingerprint(frame, area),
  encode: (quality) => pictureOf(frame, area).webp({ quality, effort: webpEffort }).toBuffer(),
  small: () => smallOf(pictureOf(frame, area)),
})

const grabMonitor = async (monitor: Monitor): Promise<RawFrame> => {
  const image = await monitor.captureImage()
  return { width: image.width, height: image.height, pixels: await image.toRaw() }
}

const contains = (monitor: Monitor, display: Display): boolean =>
  display.x >= monitor.x() &&
  display.y >= monitor.y() &&
  display.x + display.width <= monitor.x() + monitor.width() &&
  display.y + display.height <= monitor.y() + monitor.height()

/** The system's own name of a monitor; two of the same name are told apart by their number. */
const monitorName = (monitor: Monitor, all: Monitor[]): string => {
  const name = monitor.name()
  return all.filter((other) => other.name() === name).length > 1 ? `${name} #${monitor.id()}` : name
}

const grabWithFfmpeg = async (display: Display, config: CaptureConfig): Promise<StillFrame | undefined> => {
  const env = config.env ?? process.env
  const ffmpeg = findFfmpeg(env)
  if (!ffmpeg) return undefined
  const { width, height, x, y } = display
  const input = ['-f', 'x11grab', '-video_size', `${width}x${height}`, '-i', `${env['DISPLAY']}+${x},${y}`]
  const output = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgba', 'pipe:1']
  const { stdout } = await runCommand(ffmpeg, ['-loglevel', 'error', ...input, ...output], { env })
  if (stdout.length !== width * height * 4) return undefined
  const area = { x: 0, y: 0, width, height }
  return stillOf(display.id, { width, height, pixels: stdout }, area)
}

/**
 * Cuts X11's logical monitors (`xrandr --setmonitor`) out of the picture that holds them. The native grabber does not
 * see every one of them; those it misses are read by ffmpeg.
 */
const grabXDisplays = async (
  monitors: Monitor[],
  displays: Display[],
  config: CaptureConfig,
): Promise<StillFrame[]> => {
  const pictures = new Map<Monitor, RawFrame>()
  const frames: StillFrame[] = []
  for (const display of displays) {
    const monitor = monitors.find((candidate) => contains(candidate, display))
    if (!monitor) {
      const grabbed = await grabWithFfmpeg(display, config)
      if (grabbed) frames.push(grabbed)
      continue
    }
    const frame = pictures.get(monitor) ?? (await grabMonitor(monitor))
    pictures.set(monitor, frame)
    const area = { ...display, x: display.x - monitor.x(), y: display.y - monitor.y() }
    frames.push(stillOf(display.id, frame, area))
  }
  return frames
}

/** Grabs in-process (node-screenshots): about 16 ms for 1080p. */
export const nativeGrabber: Grabber = {
  name: 'node-screenshots',
  probe: async () => {
    try {
      // An empty list with permission granted is what a silent refusal looks like on macOS.
      if (Monitor.all().length > 0) return { ok: true }
      return { ok: false, reason: 'permission_denied', detail: 'the system lists no display' }
    } catch (error) {
      return { ok: false, reason: 'not_observable', detail: String(error) }
    }
  },
  grab: async (config) => {
    const monitors = Monitor.all()
    const displays = await listXDisplays(config.env)
    if (displays) {
      return { displays: displays.map(({ id }) => id), frames: await grabXDisplays(monitors, displays, config) }
    }
    const frames: StillFrame[] = []
    for (const monitor of monitors) {
      const frame = await grabMonitor(monitor)
      const area = { x: 0, y: 0, width: frame.width, height: frame.height }
      frames.push(stillOf(monitorName(monitor, monitors), frame, area))
    }
    return { displays: monitors.map((monitor) => monitorName(monitor, monitors)), frames }
  },
}

/** Grabs single frames by ffmpeg's x11grab: slower, one process for each still, for where the native grabber fails. */
export const x11Grabber: Grabber = {
  name: 'ffmpeg-x11grab-stills',
  probe: async (config) => {
    if (!(await listXDisplays(config.env))) return { ok: false, reason: 'not_observable', detail: 'no X display' }
    return requireFfmpeg({ devices: ['x11grab'] }, config.env)
  },
  grab: async (config) => {
    const displays = (await listXDisplays(config.env)) ?? []
    const frames: StillFrame[] = []
    for (const display of displays) {
      const grabbed = await grabWithFfmpeg(display, config)
      if (grabbed) frames.push(grabbed)
    }
    return { displays: displays.map(({ id }) => id), frames }
  },
}

const createLook = (grabber: Grabber, sink: DriverSink, config: CaptureConfig, clock: Clock) => {
  const recorder = createStillRecorder(sink, config, clock)
  return async (trigger: string | undefined): Promise<void> => {
    const at = clock.wallMs()
    const { displays, frames } = await grabber.grab(config)
    sink.displays(displays)
    if (frames.length === 0) throw new DriverError('driver_failed', 'no display gave a frame')
    for (const frame of frames) await recorder.look(frame, at, trigger)
  }
}

/** Stills of every display on an interval, and one more on each `trigger`. Frames are looked at, never stored, between. */
export const createScreenStillsDriver = (grabber: Grabber = nativeGrabber, clock: Clock = systemClock): Driver => {
  let pending: string | undefined
  let wake = new AbortController()
  return {
    name: grabber.name,
    probe: (config) => grabber.probe(config),
    trigger: (reason) => {
      pending ??= reason
      wake.abort()
    },
    start: async (sink, config, signal) => {
      const look = createLook(grabber, sink, config, clock)
      const sampleMs = screenLookMs(config)
      while (!signal.aborted) {
        const started = clock.monotonicMs()
        const trigger = pending
        pending = undefined
        wake = new AbortController()
        await look(trigger)
        const wait = Math.max(0, sampleMs - (clock.monotonicMs() - started))
        await clock.sleep(wait, AbortSignal.any([signal, wake.signal]))
      }
    },
  }
}
