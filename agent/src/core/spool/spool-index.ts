import type { LaneName } from '@integrity/protocol'
import { pieceOf } from '../capture/piece.ts'
import type { Db } from './spool-database.ts'
import { type ItemHeader, type ItemKind, type QueuedItem, type Remaining, stillKinds } from './types.ts'

export interface EventRow {
  readonly client_id: string
  readonly body: Buffer
  readonly attempts: number
}

/** An event ready to be stored: its id and its sealed body. */
export interface SealedEvent {
  readonly clientId: string
  readonly body: Buffer
}

export interface LastSample {
  readonly lane: LaneName
  readonly displayId: string | undefined
  /** Epoch milliseconds. */
  readonly lastAt: number
  /** Where the pieces began that end there without a hole. */
  readonly fromAt: number | undefined
}

/** How many items were signed, and the hash of the last. */
export interface ChainHead {
  readonly items: number
  readonly last: string
}

export const accountName = 'account'

// A wait longer than an hour is never written: a later time means that the wall clock was put back.
const isDue = `state = 'queued' AND (not_before <= @now OR not_before > @now + 3600000)`
const selectItems = `SELECT client_id AS clientId, kind, lane, display_id AS displayId, sequence, captured_at AS capturedAt,
  size_bytes AS sizeBytes, file_bytes AS fileBytes, sha256, state, attempts, upload_id AS uploadId FROM items`

/** All SQL of the spool. Rows only: the files and the leases are the spool's business. */
export class SpoolIndex {
  readonly #db: Db
  readonly #run: <T>(work: () => T) => T

  constructor(db: Db) {
    this.#db = db
    this.#run = (work) => db.transaction(work).immediate()
  }

  /** The row, the lane's counter and the sample mark commit together, with events that belong to the same fact. */
  addItem(header: ItemHeader, fileBytes: number): void {
    this.#run(() => {
      this.#db
        .prepare(
          `INSERT INTO items (client_id, kind, lane, display_id, sequence, captured_at, size_bytes, file_bytes, sha256)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          header.clientId,
          header.kind,
          header.lane,
          header.displayId ?? '',
          header.sequence,
          Math.round(header.capturedAt),
          header.sizeBytes,
          fileBytes,
          header.sha256,
        )
      this.#db
        .prepare(
          `INSERT INTO lanes (lane, next_sequence) VALUES (?, ?)
           ON CONFLICT (lane) DO UPDATE SET next_sequence = max(next_sequence, excluded.next_sequence)`,
        )
        .run(header.lane, header.sequence + 1)
      const piece = pieceOf(header)
      // A display is looked at beside its clips, so these do not show where it was observed from.
      const from = header.kind === 'screen_clip' ? undefined : piece?.from
      this.markSample(header.lane, header.displayId, piece?.to ?? header.capturedAt, from)
      if (header.signed) this.#raiseChain(header.signed.signature.sequence, header.signed.hash)
    })
  }

  addEvents(events: readonly SealedEvent[], account?: string): void {
    this.#run(() => {
      this.#insertEvents(events)
      if (account !== undefined) this.setMeta(accountName, account)
    })
  }

  /** `from`: where a piece began that ends at `at`. */
  markSample(lane: LaneName, displayId: string | undefined, at: number, from?: number): void {
    this.#db
      .prepare(
        `INSERT INTO samples (lane, display_id, last_at, from_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (lane, display_id) DO UPDATE SET last_at = max(last_at, excluded.last_at),
           from_at = CASE WHEN excluded.from_at > last_at THEN excluded.from_at ELSE from_at END`,
      )
      .run(lane, displayId ?? '', Math.round(at), from ?? null)
  }

  lastSamples(): LastSample[] {
    type Row = Pick<LastSample, 'lane' | 'lastAt'> & { readonly displayId: string; readonly fromAt: number | null }
    const columns = 'lane, display_id AS displayId, last_at AS lastAt, from_at AS fromAt'
    const rows = this.#db.prepare<[], Row>(`SELECT ${columns} FROM samples ORDER BY lane, display_id`).all()
    return rows.map((row) => ({ ...row, displayId: row.displayId || undefined, fromAt: row.fromAt ?? undefined }))
  }

  nextSequences(): Map<string, number> {
    const rows = this.#db
      .prepare<[], { lane: LaneName; next_sequence: number }>('SELECT lane, next_sequence FROM lanes ORDER BY lane')
      .all()
    return new Map(rows.map((row) => [row.lane, row.next_sequence]))
  }

  /** Of what is due, from the end that is asked for; a few more than wanted, as some may be leased. */
  dueItems(now: number, limit: number, first: 'oldest' | 'newest'): QueuedItem[] {
    const order = first === 'newest' ? 'pos DESC' : 'pos'
    return this.#items(`WHERE ${isDue} ORDER BY ${order} LIMIT @limit`, { now, limit })
  }

  dueEvents(now: number, limit: number): EventRow[] {
    return this.#db
      .prepare<{ now: number; limit: number }, EventRow>(
        `SELECT client_id, body, attempts FROM events WHERE ${isDue} ORDER BY pos LIMIT @limit`,
      )
      .all({ now, limit })
  }

  /** Everything that has a file, whatever its state, oldest first. */
  allItems(): QueuedItem[] {
    return this.#items('ORDER BY pos', {})
  }

  /** Queued stills, oldest first. */
  queuedStills(): QueuedItem[] {
    const kinds = JSON.stringify(stillKinds)
    return this.#items(`WHERE state = 'queued' AND kind IN (SELECT value FROM json_each(@kinds)) ORDER BY pos`, {
      kinds,
    })
  }

  /** When the next thing that waits may be tried: epoch milliseconds; undefined when nothing is queued. */
  nextDue(): number | undefined {
    const row = this.#db
      .prepare<[], { due: number | null }>(
        `SELECT min(not_before) AS due FROM (
           SELECT not_before FROM items WHERE state = 'queued' UNION ALL SELECT not_before FROM events WHERE state = 'queued'
           UNION ALL SELECT not_before FROM segments WHERE state = 'queued')`,
      )
      .get()
    return row?.due ?? undefined
  }

  postpone(table: 'items' | 'events', clientIds: readonly string[], notBefore: number): void {
    this.#run(() => {
      const statement = this.#db.prepare(
        `UPDATE ${table} SET attempts = attempts + 1, not_before = ? WHERE client_id = ?`,
      )
      for (const clientId of clientIds) statement.run(Math.ceil(notBefore), clientId)
    })
  }

  setUploadId(clientId: string, uploadId: string | undefined): void {
    this.#db.prepare('UPDATE items SET upload_id = ? WHERE client_id = ?').run(uploadId ?? null, clientId)
  }

  /** `acked` says the file may go; the row follows once it has, so that a kill in between is never read as a loss. */
  setItemState(clientIds: readonly string[], state: 'acked' | 'refused', reason?: string, shredded = false): void {
    this.#run(() => {
      const statement = this.#db.prepare(
        `UPDATE items SET state = ?, reason = ?, file_bytes = CASE WHEN ? THEN 0 ELSE file_bytes END WHERE client_id = ?`,
      )
      for (const clientId of clientIds) statement.run(state, reason ?? null, shredded ? 1 : 0, clientId)
    })
  }

  /** As `setItemState(…, 'acked')`, in one transaction with the events that say why. */
  dropItems(clientIds: readonly string[], events: readonly SealedEvent[]): void {
    this.#run(() => {
      this.setItemState(clientIds, 'acked')
      this.#insertEvents(events)
    })
  }

  forgetItems(clientIds: readonly string[]): void {
    this.#run(() => {
      const statement = this.#db.prepare('DELETE FROM items WHERE client_id = ?')
      for (const clientId of clientIds) statement.run(clientId)
    })
  }

  forgetEvents(clientIds: readonly string[]): void {
    this.#run(() => {
      const statement = this.#db.prepare('DELETE FROM events WHERE client_id = ?')
      for (const clientId of clientIds) statement.run(clientId)
    })
  }

  refuseEvents(clientIds: readonly string[], reason: string): void {
    this.#run(() => {
      const statement = this.#db.prepare(`UPDATE events SET state = 'refused', reason = ? WHERE client_id = ?`)
      for (const clientId of clientIds) statement.run(reason, clientId)
    })
  }

  refusals(): { clientId: string; what: string; reason: string }[] {
    return this.#db
      .prepare<[], { clientId: string; what: string; reason: string }>(
        `SELECT client_id AS clientId, kind AS what, coalesce(reason, '') AS reason FROM items WHERE state = 'refused'
         UNION ALL SELECT client_id, 'event', coalesce(reason, '') FROM events WHERE state = 'refused'
         UNION ALL SELECT segment_id, 'transcript_segment', coalesce(reason, '') FROM segments WHERE state = 'refused'
         ORDER BY 1`,
      )
      .all()
  }

  usage(): { itemBytes: number; eventBytes: number } {
    const items = this.#db
      .prepare<[], { n: number }>(`SELECT coalesce(sum(file_bytes), 0) AS n FROM items WHERE state <> 'acked'`)
      .get()
    const events = this.#db.prepare<[], { n: number }>('SELECT coalesce(sum(length(body)), 0) AS n FROM events').get()
    return { itemBytes: items?.n ?? 0, eventBytes: events?.n ?? 0 }
  }

  remaining(): Remaining {
    const kinds = this.#db
      .prepare<[], { kind: ItemKind; n: number; bytes: number }>(
        `SELECT kind, count(*) AS n, sum(size_bytes) AS bytes FROM items WHERE state = 'queued' GROUP BY kind ORDER BY kind`,
      )
      .all()
    const counts = this.#db
      .prepare<[], { events: number; segments: number; refused: number }>(
        `SELECT (SELECT count(*) FROM events WHERE state = 'queued') AS events,
           (SELECT count(*) FROM segments WHERE state = 'queued') AS segments,
           (SELECT count(*) FROM items WHERE state = 'refused') + (SELECT count(*) FROM events WHERE state = 'refused')
             + (SELECT count(*) FROM segments WHERE state = 'refused') AS refused`,
      )
      .get()
    return {
      events: counts?.events ?? 0,
      segments: counts?.segments ?? 0,
      items: kinds.reduce((sum, row) => sum + row.n, 0),
      bytes: kinds.reduce((sum, row) => sum + row.bytes, 0),
      byKind: Object.fromEntries(kinds.map((row) => [row.kind, row.n])),
      refused: counts?.refused ?? 0,
    }
  }

  getMeta(key: string): string | undefined {
    const row = this.#db.prepare<[string], { value: Buffer | string }>('SELECT value FROM meta WHERE key = ?').get(key)
    return row === undefined ? undefined : row.value.toString()
  }

  setMeta(key: string, value: string): void {
    this.#db
      .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
      .run(key, value)
  }

  /** The last place of the machine's chain of which the item is durable. */
  chainHead(): ChainHead | undefined {
    const head = this.getMeta('capture_head')
    return head === undefined ? undefined : (JSON.parse(head) as ChainHead)
  }

  forgetChain(): void {
    this.#db.exec(`DELETE FROM meta WHERE key IN ('capture_key', 'capture_head')`)
  }

  /** Forgets everything but the key's check: what the session had, sent or not, and the lanes' counters and marks. */
  discard(): void {
    this.#run(() => {
      this.#db.exec(`DELETE FROM items; DELETE FROM events; DELETE FROM segments; DELETE FROM lanes; DELETE FROM samples;
        DELETE FROM meta WHERE key <> 'key_check'`)
    })
  }

  close(): void {
    this.#db.close()
  }

  /** Items become durable in another order than they were signed in. */
  #raiseChain(items: number, last: string): void {
    if (items > (this.chainHead()?.items ?? 0)) this.setMeta('capture_head', JSON.stringify({ items, last }))
  }

  #items(which: string, values: Readonly<Record<string, number | string>>): QueuedItem[] {
    type Row = Omit<QueuedItem, 'uploadId'> & { readonly uploadId: string | null }
    const rows = this.#db.prepare<[typeof values], Row>(`${selectItems} ${which}`).all(values)
    return rows.map((row) => ({ ...row, uploadId: row.uploadId ?? undefined }))
  }

  #insertEvents(events: readonly SealedEvent[]): void {
    const statement = this.#db.prepare('INSERT INTO events (client_id, body) VALUES (?, ?)')
    for (const event of events) statement.run(event.clientId, event.body)
  }
}
