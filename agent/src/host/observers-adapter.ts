import type { SessionConfig } from '@integrity/protocol'
import { createObservers } from '../observers/create-observers.ts'
import { createObserverSet, type ObserverSet } from '../observers/observer-set.ts'
import type { Capability, ObserverSink, ObserversPort } from '../session/ports.ts'
import type { Environment } from '../shared/child-process.ts'
import type { Clock } from '../shared/clock.ts'

/** The observers of this machine; a stopped set is made anew, as a session may pause. */
export class MachineObservers implements ObserversPort {
  readonly #clock: Clock
  readonly #env: Environment | undefined
  #running: ObserverSet | undefined

  constructor(clock: Clock, env: Environment | undefined) {
    this.#clock = clock
    this.#env = env
  }

  async capabilities(): Promise<readonly Capability[]> {
    const none = { emit: () => undefined, gap: () => undefined }
    return this.#make(none).capabilities()
  }

  async start(sink: ObserverSink, _config: SessionConfig): Promise<void> {
    if (this.#running) return
    this.#running = this.#make(sink)
    this.#running.start()
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.stop()
  }

  #make(sink: ObserverSink): ObserverSet {
    return createObserverSet({
      observers: createObservers({ env: this.#env }),
      emit: (observation) => sink.emit(observation),
      onGap: (gap) => sink.gap(gap),
      clock: this.#clock,
    })
  }
}
