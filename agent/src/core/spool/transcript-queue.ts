import type { Segment, SegmentStore } from '../transcript/segment-writer.ts'
import { seal, unseal } from './seal.ts'
import type { Db } from './spool-database.ts'
import { SpoolFull, type SpoolReport } from './types.ts'

/** A segment claimed for sending. `version` counts how often its words were changed here. */
export interface QueuedSegment {
  readonly segment: Segment
  readonly version: number
  readonly attempts: number
}

interface Row {
  readonly segment_id: string
  readonly version: number
  readonly body: Buffer
  readonly attempts: number
}
interface Sent {
  readonly segment: { readonly segmentId: string }
  readonly version: number
}

/** The service takes at most so many segments at once. */
export const maxSegmentBatch = 500
/** A wait longer than an hour is never written: a later time means that the wall clock was put back. */
const isDue = `state = 'queued' AND (not_before <= @now OR not_before > @now + 3600000)`
/** The lane's counter lives where those of the items do, so that a new session begins at 0 again. */
const lane = 'transcript'

export interface TranscriptQueueOptions {
  readonly db: Db
  readonly key: Buffer
  readonly wallMs: () => number
  /** Bound on the sealed words. */
  readonly maxBytes: number
  readonly onReport: ((report: SpoolReport) => void) | undefined
}

/**
 * Segments on their way to the service, in the order in which they began. Each has one row: newer words take the place
 * of older ones that were not sent yet. Words lie sealed on the disk, as everything here does.
 */
export class TranscriptQueue implements SegmentStore {
  readonly #options: TranscriptQueueOptions
  readonly #claimed = new Set<string>()

  constructor(options: TranscriptQueueOptions) {
    this.#options = options
  }

  nextSequence(): number {
    const row = this.#options.db
      .prepare<[string], { next: number }>('SELECT next_sequence AS next FROM lanes WHERE lane = ?')
      .get(lane)
    return row?.next ?? 0
  }

  /** Durable when it returns. Throws `SpoolFull` when the words' own room is used up. */
  put(segment: Segment): void {
    const { db, key, maxBytes } = this.#options
    const body = seal(key, 'segment', Buffer.from(JSON.stringify(segment)))
    if (this.#bytes() + body.length > maxBytes) throw new SpoolFull('no room is left for words')
    this.#transact(() => {
      db.prepare(
        `INSERT INTO segments (segment_id, body) VALUES (?, ?)
         ON CONFLICT (segment_id) DO UPDATE SET body = excluded.body, version = version + 1, state = 'queued', reason = NULL`,
      ).run(segment.segmentId, body)
      db.prepare(
        `INSERT INTO lanes (lane, next_sequence) VALUES (?, ?)
         ON CONFLICT (lane) DO UPDATE SET next_sequence = max(next_sequence, excluded.next_sequence)`,
      ).run(lane, segment.sequence + 1)
    })
  }

  /** Claims up to `limit` due segments, the earliest first. Give them back with `ack`, `fail`, `refuse` or `release`. */
  next(limit: number): QueuedSegment[] {
    const { db, key, wallMs } = this.#options
    const rows = db
      .prepare<{ now: number; limit: number }, Row>(
        `SELECT segment_id, version, body, attempts FROM segments WHERE ${isDue} ORDER BY pos LIMIT @limit`,
      )
      .all({ now: wallMs(), limit: Math.min(limit, maxSegmentBatch) + this.#claimed.size })
      .filter((row) => !this.#claimed.has(row.segment_id))
      .slice(0, limit)
    for (const row of rows) this.#claimed.add(row.segment_id)
    return rows.map(({ version, attempts, body }) => ({
      segment: JSON.parse(unseal(key, 'segment', body).toString('utf8')) as Segment,
      version,
      attempts,
    }))
  }

  /** The service has them. What changed meanwhile stays and is sent again. */
  ack(sent: readonly Sent[]): void {
    this.#each('DELETE FROM segments WHERE segment_id = ? AND version = ?', sent)
    this.release(sent)
  }

  /** Back into the queue, not before that time (epoch ms). */
  fail(sent: readonly Sent[], notBefore: number): void {
    const sql = 'UPDATE segments SET attempts = attempts + 1, not_before = ? WHERE segment_id = ?'
    const statement = this.#options.db.prepare(sql)
    this.#transact(() => {
      for (const { segment } of sent) statement.run(Math.ceil(notBefore), segment.segmentId)
    })
    this.release(sent)
  }

  /** The service will never take them: the reason stays, the words go. */
  refuse(sent: readonly Sent[], reason: string): void {
    const statement = this.#options.db.prepare(
      `UPDATE segments SET state = 'refused', reason = ?, body = x'' WHERE segment_id = ? AND version = ?`,
    )
    this.#transact(() => {
      for (const { segment, version } of sent) statement.run(reason, segment.segmentId, version)
    })
    for (const { segment } of sent)
      this.#options.onReport?.({ kind: 'refused', clientId: segment.segmentId, lane, reason })
    this.release(sent)
  }

  release(sent: readonly Sent[]): void {
    for (const { segment } of sent) this.#claimed.delete(segment.segmentId)
  }

  #bytes(): number {
    const sql = 'SELECT coalesce(sum(length(body)), 0) AS n FROM segments'
    return this.#options.db.prepare<[], { n: number }>(sql).get()?.n ?? 0
  }

  #each(sql: string, sent: readonly Sent[]): void {
    const statement = this.#options.db.prepare(sql)
    this.#transact(() => {
      for (const { segment, version } of sent) statement.run(segment.segmentId, version)
    })
  }

  #transact(work: () => void): void {
    this.#options.db.transaction(work).immediate()
  }
}
