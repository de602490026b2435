import { IntegrityError } from '@integrity/client/errors'
import type { Identity } from './companion-api.ts'
import type { Ports } from './session.ports.ts'
import type { Status } from './session.types.ts'

/** How often a paused side view asks whether it is wanted again. */
const lookAgainMs = 10_000

export interface LookingAgainListener {
  /** Policy and consent say yes. */
  onWanted(config: Status['config']): void
  /** They say no, or nothing could be heard. */
  onNotWanted(): void
  /** The pairing is over. */
  onGone(): void
}

/** While policy or consent says no to the side view: asks what they say by now. */
export class LookingAgain {
  readonly #ports: Pick<Ports, 'api' | 'time'>
  readonly #listener: LookingAgainListener
  #cancel = () => {}

  constructor(ports: Pick<Ports, 'api' | 'time'>, listener: LookingAgainListener) {
    this.#ports = ports
    this.#listener = listener
  }

  /** Asks once, in a while. `who`: nobody when there is nothing to ask for any more. */
  later(who: () => Identity | undefined): void {
    this.#cancel()
    this.#cancel = this.#ports.time.after(lookAgainMs, () => void this.#look(who()))
  }

  stop(): void {
    this.#cancel()
  }

  async #look(who: Identity | undefined): Promise<void> {
    if (!who) return
    let status: Status | undefined
    try {
      status = await this.#ports.api.status(who)
    } catch (error) {
      if (error instanceof IntegrityError && error.kind === 'unauthorized') return this.#listener.onGone()
    }
    if (status?.consent === 'granted' && status.config.sideView.enabled) this.#listener.onWanted(status.config)
    else this.#listener.onNotWanted()
  }
}
