import { EventEmitter } from 'node:events'

/** A process that does nothing until a test emits for it. */
export class FakeUtilityProcess extends EventEmitter {
  readonly script: string
  readonly args: readonly string[]
  readonly options: Record<string, unknown>
  readonly received: unknown[] = []
  pid: number | undefined
  killed = false
  constructor(script: string, args: readonly string[], options: Record<string, unknown>) {
    super()
    this.script = script
    this.args = args
    this.options = options
  }
  postMessage(message: unknown): void {
    this.received.push(structuredClone(message))
  }
  kill(): boolean {
    this.killed = true
    return true
  }
}
