import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { isStalePlan, mapDatabaseError } from '../errors.ts'
import type { Param, Reader, Replica } from '../types.ts'
import { identityQuery } from './postgres.identity.ts'
import { boundedRead } from './postgres.modes.ts'
import { onConnection, openPool } from './postgres.pool.ts'
import { postgresPulse } from './postgres.pulse.ts'
import type { PostgresReader } from './postgres.reader.ts'
import type { PostgresTexts } from './postgres.text.ts'
import { queryFor } from './postgres.tx.ts'
import { type ReplicaLook, type ReplicaOutcome, ReplicaUnusable } from './replica.types.ts'

/** How long a read waits for the replica to have what it must see; the primary answers it then. Milliseconds. */
const patienceMs = 250
/** Asked so often meanwhile. */
const askEveryMs = 10
/** A replica that was away or behind is passed over for so long: those who come meanwhile do not wait for it. */
const passOverMs = 1_000

/** How far the log is written, and on which timeline: after a failover two servers count their logs on from one place. */
const newestWrite = `SELECT pg_current_wal_flush_lsn()::text AS lsn,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`
/** What streams knows its timeline at once, where this user may see that; the control file has it from the next restart point on. */
const position = `SELECT pg_is_in_recovery() AS standby, coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS there,
  pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::float8 AS behind,
  coalesce((SELECT received_tli FROM pg_stat_wal_receiver), (SELECT timeline_id FROM pg_control_checkpoint())) AS timeline`

interface Newest {
  readonly lsn: string
  readonly timeline: number
}

interface Position {
  readonly standby: 0 | 1
  readonly timeline: number
  readonly there: 0 | 1
  readonly behind: number | null
}

export interface ReplicaOptions {
  readonly connectionString: string
  readonly max: number
  readonly statementMs: number
  readonly texts: PostgresTexts
  readonly primary: PostgresReader
  /** Told of each statement that could have been read from the replica. */
  readonly onRead: (outcome: ReplicaOutcome) => void
}

/** Joins what is asked at once. Who comes while a question is on its way waits for the next: its answer may be from before. */
const joined = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let asking: Promise<T> | undefined
  let next: Promise<T> | undefined
  const run = (): Promise<T> => {
    const answer = ask().finally(() => {
      asking = undefined
    })
    asking = answer
    return answer
  }
  const after = async (earlier: Promise<T>): Promise<T> => {
    await earlier.catch(() => undefined)
    next = undefined
    return asking === undefined ? run() : join()
  }
  const join = (): Promise<T> => {
    if (asking === undefined) return run()
    next ??= after(asking)
    return next
  }
  return join
}

const unless = (found: Position | undefined, { timeline }: Newest): ReplicaUnusable | undefined => {
  if (found?.standby && found.timeline === timeline) return undefined
  if (found?.standby)
    return new ReplicaUnusable(
      'stray',
      `the replica is on timeline ${found.timeline} and the primary on ${timeline}: after a failover it must follow the new primary`,
    )
  return new ReplicaUnusable('stray', 'the address of DATABASE_READ_URL is no replica: it follows nobody')
}

/** From where a request reads: once from the primary, always from there, so that it goes back in time nowhere. */
interface Place {
  at: ReplicaOutcome
  since: Promise<Newest> | undefined
}

type ReadAt = (sql: string, params: readonly Param[] | undefined, from: Place) => Promise<pg.QueryResult>

/** The rows of one request: from the replica while that has all that was there when the request came, else from the primary. */
class RequestReader implements Reader {
  readonly #read: ReadAt
  readonly #from: Place = { at: 'replica', since: undefined }

  constructor(read: ReadAt) {
    this.#read = read
  }

  async all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]> {
    return (await this.#read(sql, params, this.#from)).rows as Row[]
  }

  async get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    return (await this.#read(sql, params, this.#from)).rows[0] as Row | undefined
  }
}

/** The two results of what was sent together, or the first failure. */
const both = async <A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> => {
  const [one, two] = await Promise.allSettled([first, second])
  if (one.status === 'rejected') throw one.reason
  if (two.status === 'rejected') throw two.reason
  return [one.value, two.value]
}

type Found = ReplicaLook & { readonly result?: pg.QueryResult }

/** The connections to the replica, each of which has told that it leads to the primary's database. */
const openLine = ({ primary, connectionString, max, statementMs }: ReplicaOptions) => {
  const pulse = postgresPulse({ connectionString })
  let known: Promise<string> | undefined
  const primarysName = (): Promise<string> => {
    known ??= primary.query(identityQuery, undefined).then(({ rows }) => rows[0].who as string)
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const isSame = async (client: pg.ClientBase): Promise<void> => {
    const { rows } = await client.query<{ who: string }>(identityQuery)
    if (rows[0]?.who !== (await primarysName()))
      throw new ReplicaUnusable('stray', 'the address of DATABASE_READ_URL has another database than DATABASE_URL')
  }
  const pool = openPool({ connectionString, max, onConnect: isSame })
  const begin = boundedRead({ statementMs })
  return {
    /**
     * The answer, where the replica has replayed the log up to `since`. Position and rows are asked in one transaction, so of
     * one server.
     */
    attempt: (query: pg.QueryConfig | undefined, since: Newest): Promise<Found> =>
      onConnection(pool, pulse, async (client) => {
        const [, { rows }] = await both(
          client.query(begin),
          client.query<Position>({ text: position, values: [since.lsn] }),
        )
        const found = rows[0]
        const problem = unless(found, since)
        if (problem) throw problem
        const look = { isCurrent: found?.there === 1, bytesBehind: Math.max(0, found?.behind ?? 0) }
        if (!look.isCurrent || query === undefined) {
          await client.query('COMMIT')
          return look
        }
        const [result] = await both(client.query(query), client.query('COMMIT'))
        return { ...look, result }
      }),
    close: async () => {
      pulse.close()
      await pool.end()
    },
  }
}

/** Reads from a streaming replica what a request that comes now must see, and from the primary what the replica has not got. */
export const openReplica = (options: ReplicaOptions): Replica => {
  const { primary, texts, onRead } = options
  const line = openLine(options)
  const askPrimary = joined(async () => (await primary.query(newestWrite, undefined)).rows[0] as Newest)
  let passedOver: { until: number; outcome: ReplicaOutcome } | undefined

  const patiently = async (query: pg.QueryConfig | undefined, since: Newest): Promise<Found> => {
    for (const deadline = performance.now() + patienceMs; ; ) {
      const found = await line.attempt(query, since)
      if (found.isCurrent || performance.now() > deadline) return found
      await delay(askEveryMs)
    }
  }

  const fallBack = (outcome: Exclude<ReplicaOutcome, 'replica'>, place: Place): undefined => {
    place.at = outcome
    // One statement that failed says nothing about the next.
    if (outcome !== 'failed') passedOver = { until: performance.now() + passOverMs, outcome }
  }

  const fromReplica = async (query: pg.QueryConfig, place: Place): Promise<pg.QueryResult | undefined> => {
    if (passedOver && performance.now() < passedOver.until) {
      place.at = passedOver.outcome
      return undefined
    }
    place.since ??= askPrimary()
    const since = await place.since
    try {
      const asked = patiently(query, since)
      primary.watchDuring(asked)
      const { result } = await asked
      return result ?? fallBack('behind', place)
    } catch (error) {
      if (isStalePlan(error)) texts.forgetPlans()
      // It took all the time that a read may take; the primary would take as much again.
      if ((error as { code?: unknown }).code === '57014') throw mapDatabaseError(error)
      return fallBack(outcomeOf(error), place)
    }
  }

  const read = async (sql: string, params: readonly Param[] | undefined, place: Place): Promise<pg.QueryResult> => {
    const query = queryFor(texts, sql, params)
    const found = place.at === 'replica' ? await fromReplica(query, place) : undefined
    onRead(place.at)
    return found ?? primary.query(sql, params)
  }

  return {
    reader: () => new RequestReader(read),
    look: async () => patiently(undefined, await askPrimary()),
    close: line.close,
  }
}

const outcomeOf = (error: unknown): Exclude<ReplicaOutcome, 'replica'> => {
  if (error instanceof ReplicaUnusable) return error.outcome
  const mapped = mapDatabaseError(error)
  return mapped instanceof Error && mapped.name === 'DatabaseUnreachable' ? 'away' : 'failed'
}
