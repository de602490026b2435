import { backoffMs, deviceBackoff } from '@integrity/client/backoff'
import { IntegrityError } from '@integrity/client/errors'
import type { Identity } from './companion-api.ts'
import type { Ports } from './session.ports.ts'

/** Tells the service that the phone lets go, until it has heard it or nobody waits for that any more. */
export class Unpairing {
  readonly #ports: Pick<Ports, 'api' | 'time'>
  readonly #onMissed: () => void
  #cancel = () => {}

  /** @param onMissed called for each try that was not answered */
  constructor(ports: Pick<Ports, 'api' | 'time'>, onMissed: () => void) {
    this.#ports = ports
    this.#onMissed = onMissed
  }

  /** Resolves once it was heard, or refused for good; never after `stop`. */
  async tell(who: Identity, failures = 1): Promise<void> {
    const { api, time } = this.#ports
    try {
      await api.unpair(who)
    } catch (error) {
      if (!(error instanceof IntegrityError) || !error.isPassing) return
      this.#onMissed()
      const wait = backoffMs(failures, { ...deviceBackoff, random: () => time.random(), askedMs: error.retryAfterMs })
      await new Promise<void>((resolve) => {
        this.#cancel = time.after(wait, resolve)
      })
      await this.tell(who, failures + 1)
    }
  }

  stop(): void {
    this.#cancel()
  }
}
