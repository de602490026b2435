import type { IntegrityError } from '@integrity/client/errors'
import { SendLoop } from '@integrity/client/send-loop'
import { PackedSending } from '@integrity/client/send-packed'
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

/** Most pictures, and about as many bytes of one request. */
const most = { items: 32, bytes: 2 * 1024 * 1024 }

const sizeOf = (stills: readonly Still[]): number => stills.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)

/** As many from the beginning as one request is to carry; one at the least. */
const fitting = (stills: readonly Still[]): readonly Still[] => {
  const over = stills.findIndex((_still, index) => index > 0 && sizeOf(stills.slice(0, index + 1)) > most.bytes)
  return over < 0 ? stills : stills.slice(0, over)
}

/** The loop that sends, several pictures a request, with what the page shows of it. Lives from the consent to the release, whatever the camera does. */
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
    onProblem: (problem: IntegrityError, stills: readonly Still[]) => void,
  ) {
    const { sessionId, api, time, gatherMs } = ports
    const packed = new PackedSending<Still>({
      now: () => time.now(),
      pack: (stills) => api.sendPack(stills),
      alone: (still) => api.send(still),
    })
    this.queue = queue
    this.#sessionId = sessionId
    this.#onChange = onChange
    this.#loop = new SendLoop({
      time,
      batch: most.items,
      // The page asks first what the service says now.
      forbidden: 'keep',
      oldest: async (limit) => fitting(await queue.oldest(sessionId, limit)),
      gatherMs: (stills) => {
        const isEnough = stills.length >= most.items || sizeOf(stills) >= most.bytes
        // A person who has just begun sees that it works.
        if (isEnough || packed.isWithoutPacks || !this.sending.lastSent) return 0
        const waited = time.now() - Date.parse(stills[0]!.capturedAt)
        return Math.min(gatherMs, Math.max(0, gatherMs - waited))
      },
      send: (stills) => packed.send(stills),
      settle: async (stills, outcome) => {
        for (const still of stills) await queue.settle(still, outcome)
      },
      onSettled: (stills, outcome) => {
        if (outcome === 'sent') this.#change({ lastSent: stills.at(-1) })
        this.recount()
      },
      onNetwork: (reached) => this.#change({ reached }),
      onStop: (problem, stills) => {
        if (!this.#over) onProblem(problem, stills)
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
  async skip(stills: readonly Still[]): Promise<void> {
    for (const still of stills) await this.queue.settle(still, 'refused')
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
