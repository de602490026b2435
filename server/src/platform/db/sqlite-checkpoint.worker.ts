import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { CheckpointResult } from './sqlite.checkpoint.ts'

/** Run by `sqlite.checkpoint.ts` as a thread of its own: one checkpoint for each message. */

/** 256 MiB of 4 KiB pages: a load that never pauses never lets the log begin anew by itself. */
const restartAtFrames = 65_536

const database = new Database(workerData as string, { timeout: 5_000 })
// The copy has to be on the disk before the log is written over.
database.pragma('synchronous = FULL')

interface Row {
  busy: number
  log: number
  checkpointed: number
}
const checkpoint = (mode: 'PASSIVE' | 'RESTART'): Row => (database.pragma(`wal_checkpoint(${mode})`) as Row[])[0]!

const run = (): CheckpointResult => {
  const { log, checkpointed } = checkpoint('PASSIVE')
  const restarted = log >= restartAtFrames
  // Nearly everything has been copied: writers wait for the rest only.
  if (restarted) checkpoint('RESTART')
  return { frames: log, copied: checkpointed, restarted }
}

parentPort?.on('message', (message) => {
  if (message === 'checkpoint') return parentPort?.postMessage(run())
  database.close()
  parentPort?.close()
})
