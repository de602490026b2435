import type { SessionConfig } from '@integrity/protocol'
import type { PictureLook } from '../../core/capture/types.ts'
import { createObserverSet, type ObserverSet } from '../../core/observers/observer-set.ts'
import type { Capability, ObserverSink, ObserversPort } from '../../core/session/ports.ts'
import type { Clock } from '../../shared/clock.ts'
import { createObservers } from '../observers/create-observers.ts'
import { createPictureLooks } from '../observers/picture-looks.ts'
import { transcriptCapability } from '../speech/choose-engine.ts'

type CreateObserversOptions = NonNullable<Parameters<typeof createObservers>[0]> & {
  readonly speechModel?: string | undefined
}

/** The observers of this machine; a stopped set is made again, as a session may pause. */
export class MachineObservers implements ObserversPort {
  readonly #clock: Clock
  readonly #machine: CreateObserversOptions
  readonly #pictures = createPictureLooks()
  #running: ObserverSet | undefined
  #titles = false
  #off: readonly string[] = []
  #callIn: string | undefined

  /** Observations go by `clock`; the clock in `machine` is the computer's own, which the clock observer watches. */
  constructor(clock: Clock, machine: CreateObserversOptions) {
    this.#clock = clock
    this.#machine = machine
  }

  async capabilities(): Promise<readonly Capability[]> {
    const none = { emit: () => undefined, gap: () => undefined }
    const { speechModel, env } = this.#machine
    return [...(await this.#make(none).capabilities()), await transcriptCapability(speechModel, env)]
  }

  async start(sink: ObserverSink, { windowTitles, observersOff }: SessionConfig, callIn?: string): Promise<void> {
    this.#callIn = callIn
    // What the helpers of a set may read is settled when it is made.
    if (windowTitles !== this.#titles || observersOff.join() !== this.#off.join()) await this.stop()
    if (this.#running) return
    this.#titles = windowTitles
    this.#off = observersOff
    this.#running = this.#make(sink)
    this.#running.start()
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.stop()
  }

  looked(look: PictureLook): void {
    this.#pictures.tell(look)
  }

  #make(sink: ObserverSink): ObserverSet {
    return createObserverSet({
      observers: createObservers({
        ...this.#machine,
        windowTitles: this.#titles,
        observersOff: this.#off,
        callIn: () => this.#callIn,
        pictures: this.#pictures,
      }),
      emit: (observation) => sink.emit(observation),
      onGap: (gap) => sink.gap(gap),
      clock: this.#clock,
    })
  }
}
