import type { IntegrityError } from '@integrity/client/errors'
import { SendLoop } from '@integrity/client/send-loop'
import type { RoomPorts } from './room.ports.ts'
import type { Sending } from './room.states.ts'
import { noTally, type Still } from './room.types.ts'
import type { StillsQueue } from './stills.queue.ts'

const nothingYet: Sending = {
  progress: { waiting: 0, ...noTally },
  reached: true,
  broken: false,
  lastSent: undefined,
}

/** The loop that sends, one picture a request, with what the page shows of it. Lives from the consent to the release, whatever the camera does. */
export class Sender {
  readonly queue: StillsQueue
  readonly #sessionId: string
  readonly #loop: SendLoop<Still>
  readonly #onChange: () => void
  #over = false
  sending: Sending = nothingYet

  constructor(
    ports: RoomPorts,
    queue: StillsQueue,
    onChange: () => void,
    onProblem: (problem: IntegrityError, still: Still) => void,
  ) {
    const { sessionId, api, time } = ports
    this.queue = queue
    this.#sessionId = sessionId
    this.#onChange = onChange
    this.#loop = new SendLoop({
      time,
      batch: 1,
      // The page asks first what the service says now.
      forbidden: 'keep',
      oldest: async () => {
        const still = await queue.oldest(sessionId)
        return still ? [still] : []
      },
      send: async ([still]) => still && api.send(still),
      settle: async ([still], outcome) => still && queue.settle(still, outcome),
      onSettled: ([still], outcome) => {
        if (outcome === 'sent') this.#change({ lastSent: still })
        this.recount()
      },
      onNetwork: (reached) => this.#change({ reached }),
      onStop: (problem, [still]) => {
        if (!this.#over && still) onProblem(problem, still)
      },
      onBroken: () => this.broken(),
    })
    this.recount()
    this.#loop.wake()
  }

  /** A picture was put into the queue. */
  added(): void {
    this.#change({ broken: false })
    this.recount()
    this.#loop.wake()
  }

  /** The counts come from the disk, so that they are true after a reload too. */
  recount(): void {
    this.queue.progress(this.#sessionId).then(
      (progress) => this.#change({ progress }),
      () => this.broken(),
    )
  }

  broken(): void {
    this.#change({ broken: true })
  }

  /** The network is back, or the service may think differently now. */
  again(): void {
    this.#loop.again()
  }

  /** Takes out what the service refuses although consent is there, so that the rest can go on. */
  async skip(still: Still): Promise<void> {
    await this.queue.settle(still, 'refused')
    this.recount()
    this.#loop.wake()
  }

  drained(): Promise<void> {
    return this.#loop.drained()
  }

  stop(): void {
    this.#over = true
    this.#loop.stop()
  }

  #change(part: Partial<Sending>): void {
    if (this.#over) return
    this.sending = { ...this.sending, ...part }
    this.#onChange()
  }
}
