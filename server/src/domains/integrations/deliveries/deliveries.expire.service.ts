import type { Needs } from '../../../kernel/call.ts'
import { cancelHeld, deleteFinished, type LogPlace, listLogsAfter, listOldest } from './deliveries.expire.store.ts'

const pageRows = 500
const logsAtOnce = 100

/** From the oldest on, as long as each ended before: positions of what stays are dense. */
const expirePage = (call: Needs<'db'>, place: LogPlace, before: number): Promise<number> =>
  call.db.transact(async (tx) => {
    const oldest = await listOldest(tx, place, pageRows)
    const end = oldest.findIndex(({ finishedAt }) => finishedAt === null || finishedAt >= before)
    const ended = end === -1 ? oldest : oldest.slice(0, end)
    await deleteFinished(tx, place, ended)
    return ended.length
  })

/**
 * Takes deliveries that ended before a time out of every log, with their attempts, oldest first. What an endpoint that was
 * disabled has held back for as long is cancelled; it stays in the log for the same time again.
 */
export const expireDeliveries = async (
  call: Needs<'clock' | 'db' | 'reader'>,
  { before, signal }: { readonly before: number; readonly signal: AbortSignal },
): Promise<void> => {
  for (let after: LogPlace = { orgId: '', endpointId: '' }; ; ) {
    const logs = await listLogsAfter(call.reader, after, logsAtOnce)
    for (const place of logs) {
      after = place
      const held = { before, now: call.clock.now(), limit: pageRows }
      do signal.throwIfAborted()
      while ((await call.db.transact((tx) => cancelHeld(tx, place, held))) === pageRows)
      do signal.throwIfAborted()
      while ((await expirePage(call, place, before)) === pageRows)
    }
    if (logs.length < logsAtOnce) return
  }
}
