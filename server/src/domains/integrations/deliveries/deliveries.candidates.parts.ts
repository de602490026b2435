import type { Needs } from '../../../kernel/call.ts'
import { type DueRow, findDueAcrossOrgs } from './deliveries.queue.store.ts'

export interface Room {
  readonly free: number
  readonly shareOf: (endpointId: string, chosen: number) => number
  readonly busy: ReadonlyMap<string, number>
}

export interface Candidates {
  /**
   * Due rows that have room, at most `free`. Each is given once; claiming says whether it still is due. `fresh` when
   * there may be rows since the last look: something was published, or time has passed.
   */
  choose(room: Room, fresh: boolean): Promise<DueRow[]>
}

/** Rows of one look at the queue. */
const lookRows = 500

/**
 * Remembers due rows that had no room when they were seen. Without that, each look would walk past the whole backlog of
 * a busy or slow endpoint to find the others again, and looks are as frequent as answers. Endpoints of which rows are
 * remembered are left out of the next look, so no backlog hides anybody; they take turns.
 */
export const createCandidates = (call: Needs<'clock' | 'reader'>): Candidates => {
  const seen = new Map<string, DueRow[]>()
  /** An endpoint's remembered rows were all given away: it may have more. */
  let dry = false
  /** Endpoints that the last look left out because they had no room: nobody knows what is due for them. */
  let unseen = new Set<string>()

  const pick = (room: Room, used: Map<string, number>, chosen: DueRow[]): void => {
    for (const [endpointId, rows] of [...seen]) {
      if (chosen.length >= room.free) return
      const before = used.get(endpointId) ?? 0
      const places = Math.min(room.shareOf(endpointId, chosen.length) - before, room.free - chosen.length)
      if (places <= 0) continue
      const given = rows.splice(0, places)
      chosen.push(...given)
      used.set(endpointId, before + given.length)
      // To the end of the line, so that more endpoints than places still all get theirs.
      seen.delete(endpointId)
      if (rows.length > 0) seen.set(endpointId, rows)
      else dry = true
    }
  }

  /** True when there may be more to see. */
  const look = async (room: Room, used: ReadonlyMap<string, number>, chosen: readonly DueRow[]): Promise<boolean> => {
    dry = false
    const full = [...used].filter(([id, count]) => count >= room.shareOf(id, chosen.length)).map(([id]) => id)
    const except = [...new Set([...seen.keys(), ...full])]
    unseen = new Set(full.filter((id) => !seen.has(id)))
    const due = await findDueAcrossOrgs(call.reader, { now: call.clock.now(), except, limit: lookRows })
    const ids = new Set(chosen.map((row) => row.id))
    for (const row of due) {
      if (ids.has(row.id)) continue
      const known = seen.get(row.endpointId)
      if (known) known.push(row)
      else seen.set(row.endpointId, [row])
    }
    return due.length === lookRows
  }

  return {
    async choose(room, fresh) {
      const chosen: DueRow[] = []
      const used = new Map(room.busy)
      const freed = [...unseen].some((id) => (used.get(id) ?? 0) < room.shareOf(id, 0))
      // Before the remembered ones are given every place: what is new must not wait behind them.
      let more = (fresh || freed) && (await look(room, used, chosen))
      pick(room, used, chosen)
      while (chosen.length < room.free && (more || dry)) {
        more = await look(room, used, chosen)
        pick(room, used, chosen)
        if (!more) break
      }
      return chosen
    },
  }
}
