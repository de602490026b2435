import { type Driver, DriverError, type DriverSink } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { createStillRecorder, type StillRecorder, screenLookMs } from '../stills/still-recorder.ts'
import { withEndDeadline } from './end-deadline.ts'
import { lookAt, pictureOf, smallPictureOf } from './frame-requests.ts'
import type { PageLinks } from './page-links.ts'
import { openStream, type PageStream } from './page-stream.ts'
import { displaySource, wantedDisplays } from './web-displays.ts'
import { probing, readInventory } from './web-probe.ts'

/** Stills need no more; each look waits for the next frame. */
const framesPerSecond = 4

/** The streams of the displays, by the id of the display that the shell names; without one, of the only display. */
class DisplayStreams {
  readonly #links: PageLinks
  readonly #open = new Map<string, PageStream>()
  #problem: unknown

  constructor(links: PageLinks) {
    this.#links = links
  }

  /** Opens what is missing and closes what is gone. Gives the ids of the displays there are. */
  async match(): Promise<string[]> {
    const wanted = await wantedDisplays(this.#links)
    for (const key of this.#open.keys()) if (!wanted.has(key)) await this.drop(key)
    for (const [key, display] of wanted) {
      if (this.#open.has(key)) continue
      try {
        this.#open.set(key, await openStream(this.#links, displaySource(display, framesPerSecond)))
      } catch (error) {
        this.#problem = error
      }
    }
    return [...wanted].flatMap(([key, display]) => display?.id ?? this.#open.get(key)?.opened.label ?? [])
  }

  /**
   * Looks at each display; one that fails is closed, to be opened again, and holds up no other. `look` gives whether
   * there was a frame. A system that gives frames only when something moves gives one to whoever opens the display, so
   * that a still display without frames is opened again, once.
   */
  async each(look: (stream: PageStream, displayId: string) => Promise<boolean>): Promise<void> {
    let done = 0
    const lookAt = async (key: string, stream: PageStream): Promise<void> => {
      await stream.confirm()
      if (await look(stream, displayIdOf(stream))) return
      await this.drop(key)
      const again = await openStream(this.#links, stream.source)
      this.#open.set(key, again)
      await look(again, displayIdOf(again))
    }
    await Promise.all(
      [...this.#open].map(async ([key, stream]) => {
        try {
          await lookAt(key, stream)
          done += 1
        } catch (error) {
          this.#problem = error
          await this.drop(key)
        }
      }),
    )
    if (done === 0) throw this.#problem ?? new DriverError('not_observable', 'there is no display')
  }

  async drop(key: string): Promise<void> {
    const stream = this.#open.get(key)
    this.#open.delete(key)
    await stream?.close()
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((key) => this.drop(key)))
  }

  nudges(): AbortSignal[] {
    return [...this.#open.values()].map((stream) => stream.nudge())
  }
}

/** The browser's own name of a display stands in where the shell names none. */
const displayIdOf = ({ source, opened }: PageStream): string =>
  (source.kind === 'display' ? source.displayId : undefined) ?? opened.label

/** Gives false when the display gave no frame. */
const takeStill = async (
  stream: PageStream,
  displayId: string,
  recorder: StillRecorder,
  clock: Clock,
  trigger: string | undefined,
): Promise<boolean> => {
  // The first frame may have been on its way before what asked for a still happened.
  if (trigger !== undefined) await lookAt(stream)
  const looked = await lookAt(stream)
  if (!looked) return false
  const { width, height, print, at: pageMs } = looked
  const { at, offsetMs } = stream.link.clock.toLocal(pageMs, clock)
  const encode = (quality: number): Promise<Buffer> => pictureOf(stream, quality)
  const meta = { clockOffsetMs: offsetMs }
  const small = (): Promise<Buffer | undefined> => smallPictureOf(stream)
  await recorder.look({ displayId, width, height, print, encode, small, meta }, at, trigger)
  return true
}

/** A sink that remembers what could not be delivered: that is no fault of a stream's, and ends the driver. */
const rememberingSink = (sink: DriverSink): DriverSink & { throwUndelivered(): void } => {
  let undelivered: { error: unknown } | undefined
  return {
    ...sink,
    item: (item) =>
      sink.item(item).catch((error: unknown) => {
        undelivered ??= { error }
        throw error
      }),
    throwUndelivered: () => {
      if (undelivered) throw undelivered.error
    },
  }
}

/** Stills of every display by `getDisplayMedia`: the same rules as in-process grabbing, with the frames of a browser. */
export const createWebScreenDriver = (links: PageLinks, clock: Clock = systemClock): Driver => {
  let pending: string | undefined
  let wake = new AbortController()
  const driver: Driver = {
    name: 'web-screen',
    probe: () =>
      probing(async () => {
        await readInventory(links)
        if ((await links.displays())?.length === 0) throw new DriverError('permission_denied', 'no display is listed')
      }),
    trigger: (reason) => {
      pending ??= reason
      wake.abort()
    },
    start: async (sink, config, signal) => {
      const careful = rememberingSink(sink)
      const recorder = createStillRecorder(careful, config, clock)
      const streams = new DisplayStreams(links)
      try {
        while (!signal.aborted) {
          const began = clock.monotonicMs()
          const trigger = pending
          pending = undefined
          wake = new AbortController()
          sink.displays(await streams.match())
          await streams
            .each((stream, displayId) => takeStill(stream, displayId, recorder, clock, trigger))
            .finally(() => careful.throwUndelivered())
          const wait = Math.max(0, screenLookMs(config) - (clock.monotonicMs() - began))
          await clock.sleep(wait, AbortSignal.any([signal, wake.signal, ...streams.nudges()]))
        }
      } finally {
        await streams.closeAll()
      }
    },
  }
  return withEndDeadline(driver, clock)
}
