import { ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall, Writes } from '../../../../kernel/call.ts'
import { wholeKey } from '../../../../platform/storage/slice-key.ts'
import { captureVerifier } from '../../../interviews/capture-keys/capture-keys.service.ts'
import type { SessionRow } from '../../../interviews/sessions/sessions.types.ts'
import { assertBound, bindingOf, EvidenceFault } from '../evidence.binding.model.ts'
import { enqueueRemoval } from '../evidence.erase.service.ts'
import { originOf } from '../evidence.source.model.ts'
import { insertEvidence } from '../evidence.store.ts'
import type { EvidenceRow, StoredBytes } from '../evidence.types.ts'
import { findObjectOf, insertObjects, shareObjectOf } from '../objects.store.ts'
import { announce } from './intake.announce.service.ts'
import { clientIdTaken, type PreparedItem } from './intake.item.model.ts'
import { bytesKey, clientKey, type Known, knownAmong } from './intake.known.service.ts'
import { takePlaces } from './intake.places.service.ts'

type ToRecord = Omit<PreparedItem, 'sessionId'>

/** A row, and whether it was made now; or why there is none, which says nothing of the other items. */
export type Outcome = { readonly row: EvidenceRow; readonly created: boolean } | { readonly refusal: Error }

/** The object of a new row: bytes that no row had, or those of another one. */
interface Attached extends StoredBytes {
  readonly objectId: string
  /** Null where nobody has tried to decode them. */
  readonly decodable: number | null
  readonly seenDecodable: number | null
}

/** What is to become of each item, decided one after the other: a later one may repeat an earlier one. */
type Decision =
  | { readonly row: EvidenceRow }
  | { readonly refusal: Error }
  | { readonly sameAs: number }
  | { readonly object: Attached }

const objectIdOf = (storeKey: string): string => storeKey.slice(storeKey.indexOf('/') + 1)

const erasedMeanwhile = () =>
  new ServiceError('conflict', 'the bytes this item shared were erased meanwhile; send it again', {
    headers: { 'Retry-After': '1' },
  })

/** Counts one more row on the object of another one; undefined when it was erased. */
const shared = async (
  { tx, scope, keyring }: Writes & Needs<'keyring'>,
  twin: EvidenceRow,
): Promise<Attached | undefined> => {
  const object = await findObjectOf(tx, scope, twin.id)
  if (!object?.header) return undefined
  const { storeKey, header, mac } = object
  assertBound(keyring, { ...scope, ...twin, storeKey, header }, mac)
  if (!(await shareObjectOf(tx, scope, twin.id))) return undefined
  const { objectId, decodable, seenDecodable } = twin
  return { objectId, storeKey, header, decodable, seenDecodable }
}

type Call = WriteCall & Needs<'keyring' | 'metrics'>

/** Decides on items in their order. */
class Decisions {
  readonly made: Decision[] = []
  /** New objects with the number of rows that refer to each, by the key of their bytes. */
  readonly objects = new Map<string, { readonly of: ToRecord; readonly object: Attached; refs: number }>()
  readonly #call: Call
  readonly #known: Known
  readonly #firsts = new Map<string, { readonly index: number; readonly sha256: string }>()

  constructor(call: Call, known: Known) {
    this.#call = call
    this.#known = known
  }

  async add(prepared: ToRecord): Promise<void> {
    this.made.push(await this.#decide(prepared))
  }

  async #decide(prepared: ToRecord): Promise<Decision> {
    const { item } = prepared
    const key = clientKey(item)
    const first = this.#firsts.get(key)
    const row = this.#known.items.get(key)
    if ((first ?? row ?? item).sha256 !== item.sha256) return { refusal: clientIdTaken() }
    if (first) return { sameAs: first.index }
    if (row) return { row }
    const object = await this.#attach(prepared).catch((error: unknown) => {
      if (error instanceof ServiceError || error instanceof EvidenceFault) return error
      throw error
    })
    if (object instanceof Error) return { refusal: object }
    this.#firsts.set(key, { index: this.made.length, sha256: item.sha256 })
    return { object }
  }

  async #attach(prepared: ToRecord): Promise<Attached> {
    const { item, stored } = prepared
    const key = bytesKey(item)
    const own = this.objects.get(key)
    if (own) {
      own.refs += 1
      return own.object
    }
    const twin = this.#known.bytes.get(key)
    const object = twin && (await shared(this.#call, twin))
    if (object) return object
    if (!stored) throw erasedMeanwhile()
    const packed = 'packId' in stored
    const objectId = packed ? this.#call.newId('obj') : objectIdOf(stored.storeKey)
    const { storeKey, header } = stored
    const made = { storeKey, header, objectId, decodable: null, seenDecodable: null }
    this.objects.set(key, { of: prepared, object: made, refs: 1 })
    return made
  }
}

const insertNewObjects = async ({ tx, scope, clock }: Call, { objects }: Decisions): Promise<void> => {
  const createdAt = clock.now()
  await insertObjects(
    tx,
    scope,
    [...objects.values()].map(({ of: { item, stored }, object, refs }) => ({
      ...stored,
      ...object,
      refs,
      createdAt,
      sizeBytes: item.sizeBytes,
      sha256: item.sha256,
    })),
  )
}

interface New {
  readonly prepared: ToRecord
  readonly object: Attached
}

const makeRows = async (call: Call, session: SessionRow, news: readonly New[]): Promise<EvidenceRow[]> => {
  const items = news.map(({ prepared }) => prepared.item)
  const places = await takePlaces(call, { sessionId: session.id, items })
  const verify = captureVerifier(call, session.id)
  const rows: EvidenceRow[] = []
  for (const [n, { prepared, object }] of news.entries()) {
    const { item, decodable = null } = prepared
    const { captureSignature: signed, ...facts } = item
    const fits = signed && (await verify(item, signed))
    rows.push({
      ...facts,
      ...places[n]!,
      sessionId: session.id,
      id: call.newId('evd'),
      objectId: object.objectId,
      metadata: JSON.stringify(item.metadata),
      ...originOf(call.actor, item),
      decodable: decodable === null ? object.decodable : Number(decodable),
      seenDecodable: object.seenDecodable,
      createdAt: call.clock.now(),
      erasedAt: null,
      signingKey: signed?.key ?? null,
      signingSequence: signed?.sequence ?? null,
      signingPrevious: signed?.previous ?? null,
      signingSignature: signed?.signature ?? null,
      signingVerified: fits === undefined ? null : Number(fits),
    })
  }
  return rows
}

/** Stored files that no row needs; one that holds several items is needed by any of them. */
const superfluous = (items: readonly ToRecord[], { objects }: Decisions): string[] => {
  const used = new Set([...objects.values()].map(({ object }) => wholeKey(object.storeKey)))
  const stored = new Set(items.flatMap((one) => (one.stored ? [wholeKey(one.stored.storeKey)] : [])))
  return [...stored].filter((key) => !used.has(key))
}

/**
 * Makes the rows of items, in their order, with one audit row and one event for all. Call with the session locked and each of
 * them admitted. `packId` where they came together.
 */
export const recordItems = async (
  call: Call,
  {
    session,
    items,
    packId,
  }: { readonly session: SessionRow; readonly items: readonly ToRecord[]; readonly packId?: string },
): Promise<Outcome[]> => {
  const { tx, scope } = call
  const known = await knownAmong(call, { sessionId: session.id, items: items.map(({ item }) => item) })
  const decisions = new Decisions(call, known)
  for (const prepared of items) await decisions.add(prepared)
  const storeKeys = superfluous(items, decisions)
  if (storeKeys.length > 0) await enqueueRemoval(call, { storeKeys })
  const news = decisions.made.flatMap((made, n) => ('object' in made ? [{ prepared: items[n]!, ...made }] : []))
  const rows = await makeRows(call, session, news)
  await insertNewObjects(call, decisions)
  await insertEvidence(
    tx,
    scope,
    rows.map((row, n) => ({ ...row, mac: bindingOf(call.keyring, { ...scope, ...row, ...news[n]!.object }) })),
  )
  if (rows.length > 0) await announce(call, { session, rows, packId })
  const outcomes: Outcome[] = []
  let next = 0
  for (const made of decisions.made) {
    if ('refusal' in made) outcomes.push(made)
    else if ('row' in made) outcomes.push({ row: made.row, created: false })
    else if ('sameAs' in made) outcomes.push({ ...(outcomes[made.sameAs] as { row: EvidenceRow }), created: false })
    else outcomes.push({ row: rows[next++]!, created: true })
  }
  return outcomes
}
