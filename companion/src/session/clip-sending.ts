import { IntegrityError } from '@integrity/client/errors'
import { noProblems, type Problems } from '@integrity/client/send-loop'
import { PackedSending } from '@integrity/client/send-packed'
import type { Identity } from './companion-api.ts'
import type { QueuedClip } from './queue.port.ts'
import type { Ports } from './session.ports.ts'

/** What one pack carries, less some for its heads. Bytes. */
const mostPackBytes = 8 * 1024 * 1024 - 64 * 1024

/** Clips on their way: in packs; in parts what is larger, and what a phone's network has cut off before, so that parts count. */
export class ClipSending {
  readonly #ports: Pick<Ports, 'api' | 'serverTime'>
  readonly #who: Identity
  readonly #packed: PackedSending<QueuedClip>
  /** The clip that did not get through. */
  #cutOff: string | undefined

  constructor(ports: Pick<Ports, 'api' | 'serverTime'>, who: Identity) {
    this.#ports = ports
    this.#who = who
    this.#packed = new PackedSending({
      now: () => ports.serverTime.now(),
      pack: (clips) => ports.api.pack(who, clips),
      alone: (clip) => ports.api.clip(who, clip),
    })
  }

  async send(clips: readonly QueuedClip[]): Promise<Problems> {
    const [first] = clips
    if (first && clips.length === 1 && this.#goesInParts(first)) {
      await this.#ports.api.clip(this.#who, first)
      return noProblems
    }
    try {
      return await this.#packed.send(clips)
    } catch (error) {
      if (error instanceof IntegrityError && error.isUnanswered) this.#cutOff = first?.clientId
      throw error
    }
  }

  #goesInParts({ clientId, bytes }: QueuedClip): boolean {
    return bytes.byteLength > mostPackBytes || clientId === this.#cutOff
  }
}
