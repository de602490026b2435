import { type CaptureConfig, type Driver, DriverError, type DriverSink } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { recordClips } from '../ffmpeg/clip-recorder.ts'
import { requireFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { clipOutput, endedOrAborted, startFfmpeg } from '../ffmpeg/ffmpeg-process.ts'
import { type Display, listXDisplays } from './displays.ts'

/** How often the arrangement of displays is compared with the one being recorded. */
const displaysPollMs = 3000

const recordDisplay = async (
  display: Display,
  sink: DriverSink,
  config: CaptureConfig,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> => {
  const env = config.env ?? process.env
  const { framesPerSecond, clipSeconds } = config.screen.clips
  // 4:2:0 needs even sides.
  const width = display.width - (display.width % 2)
  const height = display.height - (display.height % 2)
  const grab = ['-f', 'x11grab', '-framerate', String(framesPerSecond), '-video_size', `${width}x${height}`]
  const input = [...grab, '-i', `${env['DISPLAY']}+${display.x},${display.y}`]
  const ffmpeg = startFfmpeg([...input, ...clipOutput(framesPerSecond), 'pipe:1'], env)
  const clips = recordClips(ffmpeg.stdout, sink, clock, {
    kind: 'screen_clip',
    lane: 'screen',
    clipSeconds,
    framesPerSecond,
    displayId: display.id,
    meta: { width, height },
  })
  await endedOrAborted(ffmpeg, AbortSignal.any([signal, clips.failed]))
  const stopped = signal.aborted
  await ffmpeg.finish()
  await clips.finish()
  if (!stopped) throw new DriverError('driver_failed', ffmpeg.ending())
}

const arrangement = (displays: Display[]): string => JSON.stringify(displays)

/** Clips of every display by ffmpeg's x11grab. Starts again when displays change, so that each clip is of one display. */
export const createScreenClipsDriver = (clock: Clock = systemClock): Driver => ({
  name: 'ffmpeg-x11grab-clips',
  probe: async (config) => {
    if (!(await listXDisplays(config.env))) return { ok: false, reason: 'not_observable', detail: 'no X display' }
    return requireFfmpeg({ devices: ['x11grab'], encoders: ['libx264'] }, config.env)
  },
  start: async (sink, config, signal) => {
    while (!signal.aborted) {
      const displays = (await listXDisplays(config.env)) ?? []
      if (displays.length === 0) throw new DriverError('not_observable', 'no X display')
      const round = new AbortController()
      const both = AbortSignal.any([signal, round.signal])
      const recordings = displays.map((display) =>
        recordDisplay(display, sink, config, both, clock).finally(() => round.abort()),
      )
      while (!both.aborted) {
        await clock.sleep(displaysPollMs, both)
        if (both.aborted) break
        const now = await listXDisplays(config.env)
        if (now && arrangement(now) !== arrangement(displays)) round.abort()
      }
      const results = await Promise.allSettled(recordings)
      const failure = results.find((result) => result.status === 'rejected')
      if (failure) throw failure.reason
    }
  },
})
