import type { ColumnSpec, Db, Tx } from '../db/types.ts'
import { aheadPart, type CountAnswer, type CountAsk, grantOf, type SharedCounts } from './shared-counts.types.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'window_at', type: 'bigint' },
  { name: 'fingerprint', type: 'text' },
  { name: 'used', type: 'double precision' },
  { name: 'granted', type: 'double precision' },
  { name: 'ceiling', type: 'double precision' },
  { name: 'cost', type: 'double precision' },
  { name: 'least', type: 'double precision' },
  { name: 'ahead', type: 'double precision' },
]

const room = '(excluded.ceiling - rate_windows.used)'
/** `grantOf`. */
const grant = `CASE WHEN excluded.cost <= 0 OR ${room} <= 0 THEN 0 ELSE greatest(excluded.least, least(${room},
  greatest(excluded.cost, least(excluded.ahead, floor(${room} / ${aheadPart}))))) END`
const upsert = {
  on: ['window_at', 'fingerprint'],
  set: `granted = ${grant}, used = rate_windows.used + ${grant}`,
}

/** Counts in a table that is in no log and no replica: what a crash of the database loses is a minute of counting. */
export const rateWindows = (db: Db): SharedCounts => ({
  async reserve(window, asks) {
    // In one order, so that two processes never wait for each other's rows.
    const sorted = asks.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    const rows = sorted.map((ask) => {
      const first = grantOf(ask, 0)
      return [window, ask.key, first, first, ask.limit, ask.cost, ask.least, ask.ahead]
    })
    const answers = await db.transact((tx) =>
      tx.insertMany<CountAnswer & { fingerprint: string }>('rate_windows', columns, rows, {
        upsert,
        returning: ['fingerprint', 'used', 'granted'],
      }),
    )
    const byKey = new Map(answers.map(({ fingerprint, used, granted }) => [fingerprint, { used, granted }]))
    return asks.map(({ key }: CountAsk) => byKey.get(key)!)
  },
})

/** @returns how many were forgotten */
export const deleteWindowsBefore = async (tx: Tx, window: number): Promise<number> => {
  const { changes } = await tx.run('DELETE FROM rate_windows WHERE window_at < ?', [window])
  return changes
}
