import type { ReelAbsence, ReelSize } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import type { AgeIdentity } from '../../../platform/crypto/age-keys.ts'
import { openSealed } from '../../../platform/storage/sealed-object.ts'
import { openBeside } from '../../../platform/storage/sealed-pack.ts'
import { SliceWindows } from '../../../platform/storage/slice-windows.ts'
import { StorageError } from '../../../platform/storage/types.ts'
import { verifiedToItsEnd } from '../../../platform/storage/verified-end.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { canHave } from './beside.makers.service.ts'
import { type BoundObject, findObjectsOf } from './contents.store.ts'
import { assertBound, EvidenceFault } from './evidence.binding.model.ts'
import type { EvidenceRow } from './evidence.types.ts'

/** The bytes of an item in one size, or why there are none. */
export type ItemContent = { readonly bytes: Buffer } | { readonly absent: ReelAbsence }

type Call = Reads & Needs<'identities' | 'keyring' | 'log' | 'sessionKeys' | 'store'>

/** What says that the stored bytes, or the row, are not what was taken in; anything else is trouble that passes. */
export const isFault = (error: unknown): boolean =>
  error instanceof EvidenceFault ||
  error instanceof AgeError ||
  (error instanceof StorageError && ['digest_mismatch', 'not_found', 'size_mismatch'].includes(error.code))

const wholeOf = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = []
  // A piece may be overwritten once the next one is asked for.
  for await (const piece of pieces) all.push(Buffer.from(piece))
  return Buffer.concat(all)
}

/** Where an item's bytes of a size lie; null where there are none. */
const placeIn = ({ storeKey, smallPlace, levelsPlace }: BoundObject, size: ReelSize): string | null => {
  if (size === 'full') return storeKey
  return size === 'small' ? smallPlace : levelsPlace
}

/** Whether nobody has tried yet to make what is missing. */
const isToBeMade = ({ contentType }: EvidenceRow, object: BoundObject, size: ReelSize): boolean =>
  size !== 'full' && placeIn(object, size) === null && object.besideId === null && canHave(contentType, size)

/** Opens several items of a session, each once and in one size, without an audit row: the caller accounts for them. */
export class ItemContents {
  readonly #call: Call
  readonly #size: ReelSize
  readonly #identity: AgeIdentity
  readonly #objects: ReadonlyMap<string, BoundObject>
  readonly #places: SliceWindows

  constructor(call: Call, size: ReelSize, identity: AgeIdentity, objects: ReadonlyMap<string, BoundObject>) {
    this.#call = call
    this.#size = size
    this.#identity = identity
    this.#objects = objects
    const places = [...objects.values()].map((object) => placeIn(object, size)).filter((place) => place !== null)
    this.#places = new SliceWindows(call.store, places)
  }

  /** Whether of one of these what is missing can be made. */
  lacks(rows: readonly EvidenceRow[]): boolean {
    return rows.some((row) => {
      const object = row.erasedAt === null ? this.#objects.get(row.id) : undefined
      return object !== undefined && object.header !== null && isToBeMade(row, object, this.#size)
    })
  }

  /** Throws what the store throws while it cannot be used. */
  async read(row: EvidenceRow): Promise<ItemContent> {
    if (row.erasedAt !== null) return { absent: 'erased' }
    try {
      return await this.#open(row)
    } catch (error) {
      if (!isFault(error)) throw error
      if (await this.#isErased(row)) return { absent: 'erased' }
      this.#call.log.error(
        { err: error, evidenceId: row.id },
        'evidence is not what was taken in, and is not given out',
      )
      return { absent: 'withheld' }
    }
  }

  /** It may have been erased since the rows were read. */
  async #isErased({ id }: EvidenceRow): Promise<boolean> {
    const [object] = await findObjectsOf(this.#call.reader, this.#call.scope, [id])
    return !object || object.header === null
  }

  async #open(row: EvidenceRow): Promise<ItemContent> {
    const { keyring, reader, scope, sessionKeys } = this.#call
    const object = this.#objects.get(row.id)
    if (!object || object.header === null) return { absent: 'erased' }
    const { header: sealed, storeKey, mac } = object
    assertBound(keyring, { ...scope, ...row, header: sealed, storeKey }, mac)
    const place = placeIn(object, this.#size)
    if (place === null) return { absent: isToBeMade(row, object, this.#size) ? 'being_made' : 'not_made' }
    const header = await sessionKeys.open(reader, { ...scope, ...row, storeKey }, sealed)
    const identity = this.#identity
    if (this.#size !== 'full')
      return { bytes: await openBeside({ header, identity, name: this.#size, place }, this.#places) }
    const pieces = openSealed(header, identity, this.#places, place, { sizeBytes: row.sizeBytes })
    return { bytes: await wholeOf(verifiedToItsEnd(pieces, row)) }
  }
}

export const contentsOf = async (
  call: Call,
  { rows, size }: { readonly rows: readonly EvidenceRow[]; readonly size: ReelSize },
): Promise<ItemContents> => {
  const kept = rows.filter(({ erasedAt }) => erasedAt === null).map(({ id }) => id)
  const objects = await findObjectsOf(call.reader, call.scope, kept)
  const identity = await orgIdentity(call, call.scope.orgId)
  return new ItemContents(call, size, identity, new Map(objects.map((object) => [object.evidenceId, object])))
}
