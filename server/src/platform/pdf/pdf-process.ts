import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { nodeEnvironment } from '../child-environment.ts'
import type { PdfDocument } from './pdf.types.ts'
import { PdfError } from './pdf-error.ts'

const script = fileURLToPath(new URL('./pdf-process.worker.ts', import.meta.url))
const MiB = 1024 * 1024
/** Beside other work of the server, which goes before. */
const niceness = 5

export interface PdfLimits {
  /** Of JavaScript. */
  readonly heapMiB: number
  readonly timeMs: number
  readonly sizeMiB: number
}

const start = ({ heapMiB }: PdfLimits) => {
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=4', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: nodeEnvironment(),
  })
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {
    // The system does not allow it, or it is gone: how it ended tells the story.
  }
  return child
}

/**
 * Lays the document out in a process of its own, which is ended when it takes too long: neither its time nor its memory is
 * the server's. Throws PdfError('too_long' | 'process_ended').
 */
export const renderInProcess = async (document: PdfDocument, limits: PdfLimits): Promise<Buffer> => {
  const child = start(limits)
  const pieces: Buffer[] = []
  let length = 0
  let isTooLong = false
  const stop = () => {
    isTooLong = true
    child.kill('SIGKILL')
  }
  const timer = setTimeout(stop, limits.timeMs)
  child.stdout.on('data', (piece: Buffer) => {
    length += piece.length
    if (length > limits.sizeMiB * MiB) stop()
    else pieces.push(piece)
  })
  // A child that ends early closes its pipes.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(document))
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (isTooLong) throw new PdfError('too_long', 'the document takes too long, or is too large')
    if (code !== 0) throw new PdfError('process_ended', `the process that renders ended with ${signal ?? code}`)
    return Buffer.concat(pieces)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
