import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { CheckpointResult } from './sqlite.checkpoint.ts'

/** Run by `sqlite.checkpoint.ts` as a thread of its own: one checkpoint for each message. */

/** 32 MiB of 4 KiB pages: a load that never pauses never lets the log begin again by itself. */
const restartAtFrames = 8_192
/** 4 MiB: what is left lying when nobody writes. */
const quietFrames = 1_024

// Who waits for a reader to finish keeps every writer waiting.
const database = new Database(workerData as string, { timeout: 100 })
// The copy has to be on the disk before the log is written over.
database.pragma('synchronous = FULL')

interface Row {
  busy: number
  log: number
  checkpointed: number
}
const checkpoint = (mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): Row =>
  (database.pragma(`wal_checkpoint(${mode})`) as Row[])[0]!

const run = (how: unknown): CheckpointResult => {
  const { log, checkpointed } = checkpoint('PASSIVE')
  // Nearly everything has been copied: writers wait for the rest only. The file keeps its length while the load lasts, since
  // writing over it is cheaper than making it longer.
  const empties = how === 'empty' || (how === 'quiet' && log > quietFrames)
  const mode = empties ? 'TRUNCATE' : log >= restartAtFrames ? 'RESTART' : undefined
  const restarted = mode !== undefined && checkpoint(mode).busy === 0
  return { frames: log, copied: checkpointed, restarted }
}

parentPort?.on('message', (message) => {
  if (message !== 'close') return parentPort?.postMessage(run(message))
  database.close()
  parentPort?.close()
})
