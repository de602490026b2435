import { idFromBytes } from '@integrity/protocol'
import { nextTrailAcrossOrgs } from '../../../kernel/audit/audit.records.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import { unknownFiles } from '../../recording/evidence/held.service.ts'
import { keysOfOpenUploads } from '../../recording/uploads/on-the-way.service.ts'
import { unknownBundles } from '../../review/bundles/bundles.leftover.service.ts'
import { unknownFilms } from '../../review/compositions/compositions.leftover.service.ts'

type Sweeps = Needs<'clock' | 'log' | 'metrics' | 'reader' | 'store'>

const dayMs = 86_400_000
const pageSize = 500
/** More than these, and more than one in a hundred: rather the wrong database than what killed processes left. */
const fewObjects = 20
const fewOfAll = 0.01

/** Letters of an id behind its prefix. */
const idLength = 26

/** What is stored: evidence, alone or several items in a pack, and what was made beside it; bundles; films, named by their composition and the run that made them. */
const kinds = [
  { pattern: /^(?:obj|pck|bsd)_[0-9a-z]{26}$/, unknown: unknownFiles },
  { pattern: /^bdl_[0-9a-z]{26}$/, unknown: unknownBundles },
  { pattern: /^cmp_[0-9a-z]{26}_rnd_[0-9a-z]{26}$/, unknown: unknownFilms },
] as const

const isStored = (id: string): boolean => kinds.some(({ pattern }) => pattern.test(id))

interface OfOrg {
  readonly orgId: string
  readonly ids: readonly string[]
}

/** Those that no row of their kind names. */
const unknownOf = async (call: Sweeps, { orgId, ids }: OfOrg): Promise<string[]> => {
  const found: string[] = []
  for (const { pattern, unknown } of kinds) {
    const ofKind = ids.filter((id) => pattern.test(id))
    if (ofKind.length > 0) found.push(...(await unknown(call, { orgId, ids: ofKind })))
  }
  return found
}

/** Ids sort by the time they were made, behind their prefix. The last one of a name tells when its bytes were made. */
const partOfTime = (id: string): string => id.slice(-idLength)

/** Everything below was made before. */
const firstIdAt = (at: number): string => {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at) << 16n)
  return partOfTime(idFromBytes('obj', bytes))
}

const idOf = (orgId: string, key: string): string => key.slice(orgId.length + 1)

interface Found {
  readonly keys: readonly string[]
  readonly seen: number
}

/** Objects older than a day that no row names. A row comes within minutes of its object, or never. */
const findUnreferenced = async (call: Sweeps, orgId: string, signal: AbortSignal): Promise<Found> => {
  const before = firstIdAt(call.clock.now() - dayMs)
  const found: string[] = []
  let seen = 0
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted()
    const page = await call.store.list(orgId, { limit: pageSize, after })
    const ids = page.keys.map((key) => idOf(orgId, key)).filter(isStored)
    seen += ids.length
    const old = ids.filter((id) => partOfTime(id) < before)
    found.push(...(await unknownOf(call, { orgId, ids: old })))
    if (page.next === undefined) break
    after = page.next
  }
  // In this order: an upload that ended meanwhile is on its way no more, and has its row.
  const onTheWay = new Set((await keysOfOpenUploads(call, orgId)).map((key) => idOf(orgId, key)))
  const waiting = found.filter((id) => !onTheWay.has(id))
  const keys: string[] = []
  for (let at = 0; at < waiting.length; at += pageSize)
    for (const id of await unknownOf(call, { orgId, ids: waiting.slice(at, at + pageSize) }))
      keys.push(`${orgId}/${id}`)
  return { keys, seen }
}

/**
 * Removes what no row names from where an organisation keeps its objects now, and counts it. Where that is more than killed
 * processes leave, nothing is removed. @returns how many are left for that reason
 */
const sweepOrg = async (call: Sweeps, orgId: string, signal: AbortSignal): Promise<number> => {
  const { keys, seen } = await findUnreferenced(call, orgId, signal)
  if (keys.length > fewObjects && keys.length > seen * fewOfAll) return keys.length
  for (const key of keys) {
    await call.store.remove(key)
    call.metrics.swept()
    call.log.info({ orgId, key }, 'an object that no row names was removed')
  }
  return 0
}

/** All organisations, one after the other; a store that does not answer keeps the others from nothing. Throws in the end. */
export const sweepUnreferenced = async (call: Sweeps, signal: AbortSignal): Promise<void> => {
  const problems: string[] = []
  for (let orgId = await nextTrailAcrossOrgs(call.reader, ''); orgId !== undefined; ) {
    try {
      const left = await sweepOrg(call, orgId, signal)
      if (left > 0)
        problems.push(`${orgId}: ${left} objects have no row, too many to remove: is this the database of this folder?`)
    } catch (error) {
      signal.throwIfAborted()
      problems.push(`${orgId}: ${(error as Error).message}`)
    }
    orgId = await nextTrailAcrossOrgs(call.reader, orgId)
  }
  if (problems.length > 0) throw new Error(problems.slice(0, 10).join('; '))
}
