import type { IntegrityError } from '@integrity/client/errors'
import { noProblems, type Problems, SendLoop } from '@integrity/client/send-loop'
import { ClipSending } from './clip-sending.ts'
import type { Identity } from './companion-api.ts'
import type { QueuedBeat, QueuedClip, QueuedItem, QueuedPlacement, QueueLane, QueuePort } from './queue.port.ts'
import type { Ports } from './session.ports.ts'
import type { PresenceAnswer } from './session.types.ts'

/** What became of the items so far. */
export interface Sending {
  readonly beatsWaiting: number
  readonly filesWaiting: number
  readonly dropped: number
  readonly refused: number
  /** Whether the last request reached the service. */
  readonly reached: boolean
  /** When the service answered last, epoch milliseconds by its clock. */
  readonly lastContact: number | undefined
}

export interface SenderEvents {
  onChange(): void
  onPresence(answer: PresenceAnswer): void
  onStop(kind: 'unauthorized' | 'forbidden'): void
  onBroken(error: unknown): void
}

/** Most beats of one request, by the contract. */
const mostBeats = 500

type QueuedFile = QueuedPlacement | QueuedClip

/** Most clips that are looked at at once: each is some megabytes of memory. */
const mostFiles = 4
/** About what one request is to carry. Bytes. */
const mostFileBytes = 2 * 1024 * 1024

/**
 * Of the oldest files, those that one request carries: the photo of the placement alone, clips as far as they fit, one at the
 * least. A clip is half a minute long, so none waits for others to be filmed.
 */
const firstOf = (items: readonly QueuedItem[]): readonly QueuedItem[] => {
  let bytes = 0
  const over = items.findIndex((item, index) => {
    if (item.kind === 'beat') return false
    bytes += item.kind === 'clip' ? item.bytes.byteLength : mostFileBytes
    return index > 0 && bytes > mostFileBytes
  })
  return over < 0 ? items : items.slice(0, over)
}

/** Indexes of the beats that a refusal names. */
const beatsAtFault = ({ details }: IntegrityError): number[] =>
  details.flatMap(({ path }) => {
    const index = /^(?:body\.)?beats\.(\d+)(?:\.|$)/.exec(path)?.[1]
    return index === undefined ? [] : [Number(index)]
  })

/** Both lanes of the queue on their way to the service. */
export class Sender {
  readonly #ports: Ports
  readonly #queue: QueuePort
  readonly #who: Identity
  readonly #events: SenderEvents
  readonly #clips: ClipSending
  readonly #lanes: readonly SendLoop<QueuedItem>[]
  view: Sending = {
    beatsWaiting: 0,
    filesWaiting: 0,
    dropped: 0,
    refused: 0,
    reached: true,
    lastContact: undefined,
  }

  constructor(ports: Ports, queue: QueuePort, who: Identity, events: SenderEvents) {
    this.#ports = ports
    this.#queue = queue
    this.#who = who
    this.#events = events
    this.#clips = new ClipSending(ports, who)
    this.#lanes = [
      this.#lane('beats', mostBeats, (items) => this.#sendBeats(items as readonly QueuedBeat[])),
      this.#lane('files', mostFiles, (items) => this.#sendFiles(items as readonly QueuedFile[])),
    ]
  }

  /** Stores the item, then sends. Throws `StorageFull`. */
  async put(item: QueuedItem): Promise<void> {
    await this.#queue.put(item)
    this.wake()
  }

  wake(): void {
    for (const lane of this.#lanes) lane.wake()
    void this.#count()
  }

  again(): void {
    for (const lane of this.#lanes) lane.again()
  }

  async drained(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.drained()))
  }

  stop(): void {
    for (const lane of this.#lanes) lane.stop()
  }

  #lane(
    name: QueueLane,
    batch: number,
    send: (items: readonly QueuedItem[]) => Promise<Problems>,
  ): SendLoop<QueuedItem> {
    return new SendLoop({
      batch,
      send,
      // What consent does not cover must not stay on the phone.
      forbidden: 'refuse',
      time: this.#ports.time,
      oldest: async (limit) => firstOf(await this.#queue.oldest(name, limit)),
      settle: (items) => this.#queue.settle(items),
      atFault: beatsAtFault,
      onSettled: (items, outcome) => {
        if (outcome === 'refused') this.#show({ refused: this.view.refused + items.length })
        void this.#count()
      },
      onNetwork: (reached) => this.heard(reached),
      onStop: ({ kind }) => this.#events.onStop(kind === 'unauthorized' ? kind : 'forbidden'),
      onBroken: (error) => this.#events.onBroken(error),
    })
  }

  /** Another request than the lanes' own was answered, or was not. */
  heard(reached: boolean): void {
    this.#show(reached ? { reached, lastContact: this.#ports.serverTime.now() } : { reached })
  }

  async #sendBeats(items: readonly QueuedBeat[]): Promise<Problems> {
    const beats = items.map(({ clientId, at, beat }) => ({ ...beat, clientId, at: new Date(at).toISOString() }))
    this.#events.onPresence(await this.#ports.api.presence(this.#who, beats))
    return noProblems
  }

  async #sendFiles(items: readonly QueuedFile[]): Promise<Problems> {
    const [first] = items
    if (first?.kind !== 'placement') return this.#clips.send(items as readonly QueuedClip[])
    await this.#ports.api.placement(this.#who, first)
    return noProblems
  }

  async #count(): Promise<void> {
    try {
      const { beats, files, dropped } = await this.#queue.counts()
      this.#show({ beatsWaiting: beats, filesWaiting: files, dropped })
    } catch (error) {
      this.#events.onBroken(error)
    }
  }

  #show(change: Partial<Sending>): void {
    this.view = { ...this.view, ...change }
    this.#events.onChange()
  }
}
