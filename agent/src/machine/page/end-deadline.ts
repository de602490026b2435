import { unlessLate } from '../../core/capture/deadline.ts'
import type { Driver, DriverSink } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'

/** Takes what comes until it is shut: what a page hands over after its lane has ended belongs to no session. */
const shuttable = (sink: DriverSink): { readonly sink: DriverSink; shut(): void } => {
  let open = true
  return {
    sink: {
      item: async (item) => {
        if (open) await sink.item(item)
      },
      unchanged: (displayId, at) => {
        if (open) sink.unchanged(displayId, at)
      },
      sample: (sample) => {
        if (open) sink.sample(sample)
      },
      displays: (ids) => {
        if (open) sink.displays(ids)
      },
    },
    shut: () => {
      open = false
    },
  }
}

/** The same driver, which ends within three seconds also when its page does not answer any more. */
export const withEndDeadline = (driver: Driver, clock: Clock): Driver => ({
  ...driver,
  start: async (sink, config, signal) => {
    const given = shuttable(sink)
    try {
      await unlessLate(driver.start(given.sink, config, signal), signal, clock)
    } finally {
      given.shut()
    }
  },
})
