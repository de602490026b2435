/** What Electron's main process has of a page, and of the messages between the two. */
import { EventEmitter } from 'node:events'

export interface Frame {
  url: string
}

let contentsMade = 0

export class FakeContents extends EventEmitter {
  readonly id = ++contentsMade
  readonly mainFrame: Frame = { url: 'about:blank' }
  readonly sent: [channel: string, value: unknown][] = []
  readonly posted: [channel: string, message: unknown, ports: FakePort[]][] = []
  openHandler: ((details: { url: string }) => { action: string }) | undefined
  reloads = 0
  destroyed = false
  send(channel: string, value: unknown): void {
    this.sent.push([channel, structuredClone(value)])
  }
  postMessage(channel: string, message: unknown, ports: FakePort[]): void {
    this.posted.push([channel, message, ports])
    this.emit('posted')
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  reload(): void {
    this.reloads += 1
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
}

/** One end of a message channel: structured clones, delivered once it is started. */
export class FakePort extends EventEmitter {
  other!: FakePort
  readonly #waiting: unknown[] = []
  #started = false
  postMessage(message: unknown): void {
    const data = structuredClone(message)
    queueMicrotask(() => this.other.deliver(data))
  }
  deliver(data: unknown): void {
    if (this.#started) this.emit('message', { data })
    else this.#waiting.push(data)
  }
  start(): void {
    this.#started = true
    for (const data of this.#waiting.splice(0)) this.emit('message', { data })
  }
  close(): void {
    this.emit('close')
    this.other.emit('close')
  }
}

export class MessageChannelMain {
  readonly port1 = new FakePort()
  readonly port2 = new FakePort()
  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}
