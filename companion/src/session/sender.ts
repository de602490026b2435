import type { IntegrityError } from '@integrity/client/errors'
import { SendLoop } from '@integrity/client/send-loop'
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
    this.#lanes = [
      this.#lane('beats', mostBeats, (items) => this.#sendBeats(items as readonly QueuedBeat[])),
      this.#lane('files', 1, (items) => this.#sendFile(items[0] as QueuedPlacement | QueuedClip)),
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

  #lane(name: QueueLane, batch: number, send: (items: readonly QueuedItem[]) => Promise<void>): SendLoop<QueuedItem> {
    return new SendLoop({
      batch,
      send,
      // What consent does not cover must not stay on the phone.
      forbidden: 'refuse',
      time: this.#ports.time,
      oldest: (limit) => this.#queue.oldest(name, limit),
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

  async #sendBeats(items: readonly QueuedBeat[]): Promise<void> {
    const beats = items.map(({ clientId, at, beat }) => ({ ...beat, clientId, at: new Date(at).toISOString() }))
    this.#events.onPresence(await this.#ports.api.presence(this.#who, beats))
  }

  async #sendFile(item: QueuedPlacement | QueuedClip): Promise<void> {
    if (item.kind === 'placement') await this.#ports.api.placement(this.#who, item)
    else await this.#ports.api.clip(this.#who, item)
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
