import type { Db, Tx } from '../../platform/db/types.ts'
import { deleteOpen, idsOpenIn, insertOpen, listOpen, lockHolder } from './places.store.ts'
import { sayPresent } from './presence.store.ts'
import { absentAfterMs, type PresenceOptions } from './presence.ts'

/** On which processes tell each other that a connection gave way to a newer one. */
const placesChannel = 'places'

/** One of so many places that a holder has for connections, in all processes together. */
export interface Places {
  /** Takes a place while the connection lasts. False when all are taken. */
  take(holder: string, limit: number, ended: AbortSignal): Promise<boolean>
  /** Takes a place in any case: the oldest give way, wherever they are, and are told by `onReplaced`. */
  push(holder: string, limit: number, ended: AbortSignal, onReplaced: () => void): Promise<void>
}

/** The only process counts its connections by itself. */
export const ownPlaces: Places = { take: async () => true, push: async () => undefined }

interface Wanted {
  readonly holder: string
  readonly limit: number
  /** The oldest give way where all are taken. */
  readonly makeRoom: boolean
}

/** Takes one place; undefined when all are taken. */
const openPlace = async (
  tx: Tx,
  { holder, limit, makeRoom }: Wanted,
  { id, processId, now }: { readonly id: string; readonly processId: string; readonly now: number },
) => {
  await lockHolder(tx, holder)
  await sayPresent(tx, processId, now)
  const there = await listOpen(tx, holder, now - absentAfterMs)
  const tooMany = there.slice(0, Math.max(0, there.length + 1 - limit))
  if (tooMany.length > 0 && !makeRoom) return undefined
  for (const { id: oldest } of tooMany) await deleteOpen(tx, holder, oldest)
  await insertOpen(tx, { holder, id, processId, now })
  return { id, replaced: tooMany.length > 0 }
}

/**
 * Counted by rows. A process holds its places as long as it says that it is there, so that one that was killed gives them
 * back. While the database is away nobody is refused for what cannot be counted.
 */
export const createPlaces = (
  { clock, db, log, processId }: PresenceOptions & { db: Db },
  newId: () => string,
): Places => {
  /** Sockets of this process whose rows stand, and what to do when one of these is gone. */
  const pushed = new Map<string, () => void>()

  const release = async (holder: string, id: string): Promise<void> => {
    pushed.delete(id)
    // A row that stays is forgotten with the process.
    await db.transact((tx) => deleteOpen(tx, holder, id)).catch(() => undefined)
  }
  const hold = (holder: string, id: string, ended: AbortSignal): void => {
    if (ended.aborted) void release(holder, id)
    else ended.addEventListener('abort', () => void release(holder, id), { once: true })
  }
  const look = async (): Promise<void> => {
    const asked = [...pushed]
    if (asked.length === 0) return
    const open = await idsOpenIn(db.reader, processId)
    for (const [id, onReplaced] of asked) if (!open.has(id) && pushed.delete(id)) onReplaced()
  }
  let listening = false
  /** Until the database closes, from the first socket on. */
  const listen = (): void => {
    if (listening) return
    listening = true
    db.listen(placesChannel, () => {
      look().catch((error: unknown) => log.warn({ err: error }, 'sockets that gave way could not be looked up'))
    })
  }
  const open = (wanted: Wanted) =>
    db.transact((tx) => openPlace(tx, wanted, { id: newId(), processId, now: clock.now() }))
  const uncounted = (error: unknown): undefined => {
    log.warn({ err: error }, 'open connections could not be counted')
    return undefined
  }

  return {
    async take(holder, limit, ended) {
      const opened = await open({ holder, limit, makeRoom: false }).catch((error: unknown) => {
        uncounted(error)
        return 'uncounted' as const
      })
      if (opened === undefined) return false
      if (opened !== 'uncounted') hold(holder, opened.id, ended)
      return true
    },
    async push(holder, limit, ended, onReplaced) {
      listen()
      const opened = await open({ holder, limit, makeRoom: true }).catch(uncounted)
      if (!opened) return
      pushed.set(opened.id, onReplaced)
      hold(holder, opened.id, ended)
      if (opened.replaced) db.notify(placesChannel)
    },
  }
}
