import { maxCountedObjects, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { copyObject } from '../../../platform/storage/move-object.ts'
import { type ObjectPlace, StorageError } from '../../../platform/storage/types.ts'
import {
  findMigration,
  lockMigration,
  type MigrationRow,
  renewClaim,
  saveMigration,
  wasRemoved,
} from './migrations.store.ts'
import { lateWritesMs, mayHold } from './places.parts.ts'
import { listPlaces, markEmptied } from './places.store.ts'
import type { FailedObject } from './storage.types.ts'

type Moves = By<ActorOf<'user'>> & Needs<'clock' | 'db' | 'log' | 'newId' | 'storagePlaces'>

/** Renewed before every object is deleted where it was, so that it never ends while one is on its way. */
const claimMs = 120_000
/** No object more is begun after so long. */
const msPerCall = 20_000
const pageOfKeys = 500

interface Source {
  readonly id: string
  readonly place: ObjectPlace
}
interface Work {
  readonly claim: string
  readonly to: ObjectPlace
  readonly sources: readonly Source[]
}
export interface MigrationRun {
  readonly state: 'running' | 'completed' | 'none'
  readonly moved: number
  readonly remaining: number
  readonly failed: readonly FailedObject[]
}

/** Takes the claim, if there is something that may have to be moved. */
const begin = async (call: Moves, orgId: string): Promise<Work | undefined> => {
  const claim = call.newId('mig')
  return call.db.transact(async (tx) => {
    const now = call.clock.now()
    const migration = await lockMigration(tx, orgId)
    if (migration.claimedUntil > now)
      throw new ServiceError('conflict', 'another call is moving objects at this moment', {
        headers: { 'Retry-After': '5' },
      })
    const rows = (await listPlaces(tx, orgId)).filter((row) => mayHold(row, now - lateWritesMs))
    const [to, ...sources] = rows.map((row) => ({ id: row.id, place: call.storagePlaces.openRow(orgId, row) }))
    if (!to || sources.length === 0) return undefined
    const goesOn = migration.startedAt !== null && migration.completedAt === null
    await saveMigration(tx, orgId, {
      ...migration,
      claim,
      claimedUntil: now + claimMs,
      ...(goesOn ? {} : { startedAt: now, completedAt: null, moved: 0 }),
    })
    return { claim, to: to.place, sources }
  })
}

const hold = async (call: Moves, orgId: string, claim: string): Promise<void> => {
  const until = call.clock.now() + claimMs
  if (!(await call.db.transact((tx) => renewClaim(tx, orgId, claim, until))))
    throw new ServiceError('conflict', 'another call took over moving the objects')
}

/**
 * One object: copied, read back, and only then deleted where it was. Killed in between it is in both places, and the
 * next call finds the same bytes there. What was removed meanwhile goes from both.
 */
const moveOne = async (call: Moves, orgId: string, key: string, from: ObjectPlace, { to, claim }: Work) => {
  await hold(call, orgId, claim)
  try {
    await copyObject(key, from, to)
  } catch (error) {
    // Removed before it was read: nothing to move.
    if (!(error instanceof StorageError) || error.code !== 'not_found') throw error
  }
  await hold(call, orgId, claim)
  await from.remove(key)
  if (await wasRemoved(call.db.reader, orgId, key)) await to.remove(key)
}

const isStaged = (key: string): boolean => key.split('/')[1] === 'staged'

/** Keys that are to be moved: what is still arriving in pieces goes by itself. */
async function* keysOf({ place }: Source, orgId: string): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const { keys, next } = await place.list(orgId, { limit: pageOfKeys, after })
    for (const key of keys) if (!isStaged(key)) yield key
    if (next === undefined) return
    after = next
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof StorageError ? error.message : 'something unforeseen; the log of the server says what'

/** Moves until the call's share is done. What fails is passed over, so that it does not keep the rest from moving. */
const moveSome = async (call: Moves, orgId: string, work: Work, maxObjects: number) => {
  const failed: FailedObject[] = []
  const until = performance.now() + msPerCall
  let moved = 0
  for (const source of work.sources)
    for await (const key of keysOf(source, orgId)) {
      if (moved + failed.length >= maxObjects || performance.now() >= until) return { moved, failed }
      try {
        await moveOne(call, orgId, key, source.place, work)
        moved++
      } catch (error) {
        if (error instanceof ServiceError) throw error
        call.log.warn({ err: error }, 'an object could not be moved')
        failed.push({ object: key.slice(orgId.length + 1), message: wordsOf(error) })
      }
    }
  return { moved, failed }
}

/** What lies elsewhere still, and the places where nothing does. */
const countLeft = async ({ sources }: Work, orgId: string) => {
  let remaining = 0
  const empty: string[] = []
  for (const source of sources) {
    const before = remaining
    for await (const _ of keysOf(source, orgId)) if (++remaining >= maxCountedObjects) return { remaining, empty }
    if (remaining === before) empty.push(source.id)
  }
  return { remaining, empty }
}

const end = async (call: Moves, orgId: string, claim: string, run: MigrationRun, empty: readonly string[]) =>
  call.db.transact(async (tx) => {
    const now = call.clock.now()
    const migration = await lockMigration(tx, orgId)
    if (migration.claim !== claim) return
    for (const placeId of empty) await markEmptied(tx, orgId, placeId, now)
    await saveMigration(tx, orgId, {
      ...migration,
      claim: null,
      claimedUntil: 0,
      updatedAt: now,
      completedAt: run.state === 'completed' ? now : null,
      moved: migration.moved + run.moved,
      remaining: run.remaining,
      failed: run.failed,
    })
    tx.afterCommit(() => call.storagePlaces.forget(orgId))
  })

/** One bounded call of a migration, which begins one or goes on with it. Nothing of it waits in a transaction. */
export const migrateSome = async (call: Moves, maxObjects: number): Promise<MigrationRun> => {
  const { orgId } = call.actor
  const work = await begin(call, orgId)
  if (!work) return { state: 'none', moved: 0, remaining: 0, failed: [] }
  let run: MigrationRun = { state: 'running', moved: 0, remaining: 0, failed: [] }
  let empty: readonly string[] = []
  try {
    run = { ...run, ...(await moveSome(call, orgId, work, maxObjects)) }
    const left = await countLeft(work, orgId)
    empty = left.empty
    run = { ...run, remaining: left.remaining, state: left.remaining === 0 ? 'completed' : 'running' }
    return run
  } finally {
    await end(call, orgId, work.claim, run, empty)
  }
}

export const latestMigration = async (call: By<ActorOf<'user'>> & Needs<'reader'>): Promise<MigrationRow | undefined> =>
  findMigration(call.reader, call.actor.orgId)

/** In the transaction: who had what moved. */
export const noteMigration = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'tx'>,
  run: MigrationRun,
): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  const payload = { state: run.state, moved: run.moved, remaining: run.remaining, failed: run.failed.length }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'storage.migrated', target: orgId, payload })
}
