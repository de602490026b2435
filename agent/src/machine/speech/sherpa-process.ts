/**
 * Run by `sherpa.ts` as a process of its own, never in the agent's: reads sound (16 kHz mono, 16 bit) on standard input,
 * says lines of `sherpa-wire.ts` on standard output, and ends with its input, after the last words. As a worker thread or
 * as a utility process of Electron, which have no standard input, it does the same by messages (`engine-messages.ts`).
 * argv: the model's files as JSON. As a utility process it was not run.
 */
import { writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { type EnginePort, serveMessages } from './engine-messages.ts'
import { SherpaDecoder } from './sherpa-decoder.ts'
import type { SherpaModel } from './sherpa-model.ts'
import type { SherpaLine } from './sherpa-wire.ts'

const port = parentPort ?? (process as { parentPort?: EnginePort }).parentPort

const say = (line: SherpaLine): void => {
  const text = JSON.stringify(line)
  if (port) port.postMessage({ line: text })
  else writeSync(1, `${text}\n`)
}

try {
  const decoder = new SherpaDecoder(JSON.parse(process.argv[2] ?? '') as SherpaModel, say)
  if (port) {
    await serveMessages(port, (pcm) => decoder.accept(pcm))
  } else {
    for await (const bytes of process.stdin) decoder.accept(bytes as Buffer)
  }
  decoder.finish()
} catch (error) {
  say({ type: 'failed', why: error instanceof Error ? error.message.slice(0, 300) : 'unknown' })
  process.exitCode = 1
}
