import type { Memory, QueuePort } from './queue.port.ts'

/** What this phone keeps: what waits to be sent, and what it must know after a reload. */
export class Kept {
  readonly #open: () => Promise<QueuePort>
  #queue: QueuePort | undefined
  memory: Memory = {}

  constructor(open: () => Promise<QueuePort>) {
    this.#open = open
  }

  async open(): Promise<void> {
    this.#queue = await this.#open()
  }

  /** What was being written when the app ended is whole again or gone; the memory is what it was. */
  async recover(): Promise<void> {
    await this.queue.recover()
    this.memory = await this.queue.recall()
  }

  get queue(): QueuePort {
    if (!this.#queue) throw new Error('the queue is open before anything is paired')
    return this.#queue
  }

  async remember(memory: Memory): Promise<void> {
    this.memory = memory
    await this.#queue?.remember(memory)
  }

  async forget(): Promise<void> {
    this.memory = {}
    await this.#queue?.clear()
  }
}
