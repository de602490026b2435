import { createHash } from 'node:crypto'
import { type EvidenceSource, ServiceError } from '@integrity/protocol'
import { inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { JobPayloads } from '../../../kernel/jobs.types.ts'
import { isImage } from '../../../platform/content/content-check.ts'
import { DecoderKilled } from '../../../platform/film/decoder-killed.ts'
import { type BesidePart, sealBesides } from '../../../platform/storage/sealed-pack.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { nameBeside } from './beside.make.store.ts'
import { BesideMakers, canHave } from './beside.makers.service.ts'
import { isFault } from './contents.service.ts'
import { type BoundObject, findObjectsOf } from './contents.store.ts'
import { boundEvidence } from './evidence.download.service.ts'
import { enqueueRemoval } from './evidence.erase.service.ts'
import { noteUndecodable } from './evidence.service.ts'
import type { EvidenceRow } from './evidence.types.ts'
import { itemsOfSource } from './spans.service.ts'

/** Items of one run; the rest goes behind the jobs of the others. */
const atOnce = 32
/** Most items of a stretch that are looked at. */
const mostOfStretch = 2000
/** So many of these jobs of an organisation wait at most; what is asked for beyond them is asked for again. */
const places = 8

type Wanted = JobPayloads['evidence.make_beside']

/** Asks for what is missing of a stretch, unless as much of this organisation waits already. */
export const askForBeside = async (
  call: Pick<Reads, 'scope'> & Needs<'db' | 'jobs'>,
  wanted: Wanted,
): Promise<void> => {
  const hash = createHash('sha256')
    .update(JSON.stringify([wanted.sessionId, wanted.source, wanted.fromAt]))
    .digest()
  const dedupeKey = `place ${hash.readUInt32BE() % places}`
  await call.db.transact((tx) =>
    call.jobs.enqueue(inTx(call, tx), { kind: 'evidence.make_beside', payload: wanted, dedupeKey }),
  )
}

interface Lacking {
  readonly row: EvidenceRow
  readonly object: BoundObject
}

/** Items whose small picture or levels were not sent and nobody has tried to make, once for each object. */
const lackingOf = async (call: Reads, { sessionId, source, fromAt, untilAt }: Wanted): Promise<Lacking[]> => {
  const span = { sessionId, source: source as EvidenceSource, fromAt, untilAt, take: mostOfStretch }
  const rows = (await itemsOfSource(call, span)).filter(({ erasedAt }) => erasedAt === null)
  const objects = await findObjectsOf(
    call.reader,
    call.scope,
    rows.map(({ id }) => id),
  )
  const byId = new Map(objects.map((object) => [object.evidenceId, object]))
  const seen = new Set<string>()
  return rows.flatMap((row) => {
    const object = byId.get(row.id)
    if (!object || object.header === null || object.besideId !== null || seen.has(object.objectId)) return []
    const { contentType } = row
    const lacks =
      (object.smallPlace === null && canHave(contentType, 'small')) ||
      (object.levelsPlace === null && canHave(contentType, 'levels'))
    if (!lacks) return []
    seen.add(object.objectId)
    return [{ row, object }]
  })
}

type Call = Reads &
  Needs<'db' | 'films' | 'identities' | 'jobs' | 'keyring' | 'log' | 'newId' | 'sessionKeys' | 'store'>

interface Made extends BesidePart {
  readonly lacking: Lacking
  /** False where it could not be decoded, or not all of it; null: nobody tried. */
  readonly isWhole: boolean | null
}

/** What could be made of one item; undefined once it was erased. Throws `DecoderKilled`. */
const madeOf = async (call: Call, makers: BesideMakers, lacking: Lacking): Promise<Made | undefined> => {
  try {
    const { header } = await boundEvidence(call, lacking.row.id)
    return { lacking, header, ...(await makers.make(lacking.row)) }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    if (!isFault(error)) throw error
    // It is withheld wherever it would be shown, so there is nothing to make of it.
    call.log.warn({ err: error, evidenceId: lacking.row.id }, 'nothing was made beside evidence that is withheld')
    return { lacking, header: '', pieces: {}, isWhole: null }
  }
}

/** Seals what was made into one file and names it in the rows, at once. */
const keep = async (call: Call, sessionId: string, made: readonly Made[]): Promise<void> => {
  const { scope, store } = call
  const besideId = call.newId('bsd')
  const key = `${scope.orgId}/${besideId}`
  const full = made.filter(({ pieces }) => Object.keys(pieces).length > 0)
  const laid = await sealBesides(full, { store, key, identity: await orgIdentity(call, scope.orgId) })
  const placesOf = new Map(full.map((one, n) => [one, laid[n]]))
  const rows = made.map((one) => {
    const beside = placesOf.get(one)
    const { objectId, smallPlace } = one.lacking.object
    // A small picture that was sent stays.
    return {
      objectId,
      smallPlace: smallPlace === null ? (beside?.small ?? null) : null,
      levelsPlace: beside?.levels ?? null,
    }
  })
  const undecodable = made.filter(({ isWhole }) => isWhole === false)
  await call.db.transact(async (tx) => {
    const named = await nameBeside(tx, scope, besideId, rows)
    const evidenceIds = undecodable.map(({ lacking }) => lacking.row.id)
    await noteUndecodable({ tx, scope }, { sessionId, evidenceIds })
    // All of them were erased meanwhile, or another run was first.
    if (named === 0 && full.length > 0) await enqueueRemoval({ ...call, tx, reader: tx }, { storeKeys: [key] })
  })
}

/** Makes what can be made, and answers how many decoders were ended from outside: their items go on lacking it. */
const makeEach = async (
  call: Call,
  makers: BesideMakers,
  { lacking, signal }: { readonly lacking: readonly Lacking[]; readonly signal: AbortSignal },
): Promise<{ readonly made: readonly Made[]; readonly killed: number }> => {
  const made: Made[] = []
  let killed = 0
  for (const one of lacking) {
    signal.throwIfAborted()
    try {
      const done = await madeOf(call, makers, one)
      if (done) made.push(done)
    } catch (error) {
      if (!(error instanceof DecoderKilled)) throw error
      call.log.warn({ err: error, evidenceId: one.row.id }, 'nothing was made beside evidence; it is tried again')
      killed += 1
    }
  }
  return { made, killed }
}

/**
 * Makes small pictures and levels of a stretch for which none were sent, a few items at a time. What cannot be decoded is marked
 * so, and not tried again; where only its decoder was ended from outside, the job runs again. Runs again from where it was when
 * its process dies: what was made and not named is swept.
 */
export const makeBeside = async (
  call: Call,
  { signal, ...wanted }: Wanted & { readonly signal: AbortSignal },
): Promise<void> => {
  const ffmpeg = await call.films.find()
  // What plays waits until somebody looks again and there is an ffmpeg.
  const lacking = (await lackingOf(call, wanted)).filter(({ row }) => ffmpeg || isImage(row.contentType))
  if (lacking.length === 0) return
  const makers = await BesideMakers.start(call, ffmpeg)
  try {
    const { made, killed } = await makeEach(call, makers, { lacking: lacking.slice(0, atOnce), signal })
    if (made.length > 0) await keep(call, wanted.sessionId, made)
    // As often as a job is tried; after that whoever looks asks again.
    if (killed > 0) throw new DecoderKilled()
  } finally {
    await makers.stop()
  }
  if (lacking.length > atOnce) await askForBeside(call, wanted)
}
