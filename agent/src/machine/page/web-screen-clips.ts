import { type CaptureConfig, type Driver, DriverError, type DriverSink } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { withEndDeadline } from './end-deadline.ts'
import type { PageLinks } from './page-links.ts'
import type { PageDisplay } from './page-port.ts'
import { openStream } from './page-stream.ts'
import { filmRecorders } from './recorders.ts'
import { runTaskGroup } from './task-group.ts'
import { displaySource, wantedDisplays } from './web-displays.ts'
import { bareType, probing, readInventory, recorderFor } from './web-probe.ts'
import { createRecording } from './web-recording.ts'

/** How often the displays are compared with those being recorded. */
const displaysPollMs = 3000
const clipBitsPerSecond = 1_500_000

const recordDisplay = async (
  display: PageDisplay | undefined,
  links: PageLinks,
  sink: DriverSink,
  config: CaptureConfig,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  const { framesPerSecond, clipSeconds: seconds } = config.screen.clips
  const { contentType, codec } = recorderFor(await readInventory(links), filmRecorders)
  const stream = await openStream(links, displaySource(display, framesPerSecond))
  const { label, width, height } = stream.opened
  const meta = { width, height, codec, framesPerSecond }
  const displayId = display?.id ?? label
  const describe = () =>
    ({ kind: 'screen_clip', lane: 'screen', displayId, contentType: bareType(contentType), meta }) as const
  const segments = { seconds, contentType, bitsPerSecond: clipBitsPerSecond }
  const recording = createRecording({ stream, sink, clock, segments, describe })
  try {
    await recording.run(signal)
  } finally {
    await recording.finish()
  }
}

const arrangement = (displays: ReadonlyMap<string, PageDisplay | undefined>): string => JSON.stringify([...displays])

/** Clips of every display by `MediaRecorder`. Starts again when displays change, so that each clip is of one display. */
export const createWebScreenClipsDriver = (links: PageLinks, clock: Clock = systemClock): Driver =>
  withEndDeadline(clipsDriver(links, clock), clock)

const clipsDriver = (links: PageLinks, clock: Clock): Driver => ({
  name: 'web-screen-clips',
  probe: () => probing(async () => recorderFor(await readInventory(links), filmRecorders)),
  start: async (sink, config, signal) => {
    while (!signal.aborted) {
      const displays = await wantedDisplays(links)
      if (displays.size === 0) throw new DriverError('not_observable', 'there is no display')
      const watch = async (both: AbortSignal): Promise<void> => {
        while (!both.aborted) {
          await clock.sleep(displaysPollMs, both)
          if (arrangement(await wantedDisplays(links)) !== arrangement(displays)) return
        }
      }
      const recordings = [...displays.values()].map(
        (display) => (both: AbortSignal) => recordDisplay(display, links, sink, config, clock, both),
      )
      await runTaskGroup(signal, [watch, ...recordings])
    }
  },
})
