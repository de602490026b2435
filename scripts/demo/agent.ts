import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Ending, NodeChild } from '../../agent/test/end-to-end/node-child.ts'
import { withMemorySettings } from '../bootstrap/memory.mjs'
import type { Cleanup } from './cleanup.ts'
import type { DemoDesktop } from './desktop.ts'
import { say } from './say.ts'

/** One line of the agent's ledger: an item that counts as captured. */
export interface LedgerItem {
  readonly clientId: string
  readonly kind: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly capturedAt: string
}

interface AgentLine {
  readonly type: string
  readonly phase?: string
  readonly kind?: string
  readonly clientId?: string
  readonly trouble?: string
}

const script = resolve(import.meta.dirname, '../../agent/src/headless/headless.ts')

/** The headless agent as a candidate would run it, on the demo's desktop; several processes, one data folder. */
export class DemoAgent {
  readonly #folder: string
  readonly #desktop: DemoDesktop
  readonly #cleanup: Cleanup
  /** Found on disk after the kill, before the ledger knew of them. */
  readonly adopted = new Set<string>()
  #child: NodeChild | undefined

  constructor(folder: string, desktop: DemoDesktop, cleanup: Cleanup) {
    this.#folder = folder
    this.#desktop = desktop
    this.#cleanup = cleanup
  }

  /** Starts it; without `joinArguments` it goes on with the session that its folder holds. Resolves once it records. */
  async start(...joinArguments: string[]): Promise<void> {
    const { cameraFile, display, env } = this.#desktop
    const sources = ['--mic-source', 'mic', '--system-source', 'speaker.monitor', '--camera-file', cameraFile]
    const output = ['--ledger', '--json', '--yes-consent', '--display', display]
    const child = new NodeChild({
      script,
      args: ['--data', join(this.#folder, 'agent'), ...sources, ...output, ...joinArguments],
      env: withMemorySettings(env),
      logFile: join(this.#folder, 'agent.log'),
      onLine: (line) => this.#read(line),
    })
    this.#child = child
    this.#cleanup.add(() => child.stop())
    await child.line('it recorded', (line) => parsed(line)?.phase === 'recording')
  }

  /** A crash: SIGKILL to the agent alone. What it had started must notice by itself. */
  async crash(): Promise<Ending | undefined> {
    return this.#child?.kill()
  }

  get ended(): Promise<Ending> | undefined {
    return this.#child?.ended
  }

  get lastLines(): string {
    return this.#child?.tail ?? ''
  }

  ledger(): LedgerItem[] {
    const file = join(this.#folder, 'agent', 'captured.jsonl')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LedgerItem)
  }

  #read(line: string): void {
    const told = parsed(line)
    if (told?.type === 'report' && told.kind === 'adopted' && told.clientId) this.adopted.add(told.clientId)
    if (told?.type === 'phase') say(`  agent: ${told.phase}`)
    if (told?.type === 'trouble') say(`  agent: ${told.trouble}`)
  }
}

const parsed = (line: string): AgentLine | undefined => {
  try {
    return JSON.parse(line) as AgentLine
  } catch {
    return undefined
  }
}
