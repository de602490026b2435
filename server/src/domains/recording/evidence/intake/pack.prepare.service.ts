import { ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../../kernel/call.ts'
import { type PackPart, type SealedPart, sealPack } from '../../../../platform/storage/sealed-pack.ts'
import { admitBytes } from '../../../interviews/sessions/joining/room.policy.ts'
import { admitCapture } from '../../../interviews/sessions/sessions.policy.ts'
import { getSession } from '../../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../../interviews/sessions/sessions.types.ts'
import { recipientsOf } from '../../../organisation/recipients/recipients.service.ts'
import type { Item } from '../evidence.types.ts'
import { bytesOfSession } from '../usage.store.ts'
import { clientIdTaken, laneOf, type PreparedItem } from './intake.item.model.ts'
import { bytesKey, clientKey, type Known, knownAmong } from './intake.known.service.ts'
import { checkBytes, measure } from './intake.prepare.service.ts'

/** An item of a pack as it was read from its frame. */
export interface SaidItem extends PackPart {
  readonly said: Item
}

type Prepared = Omit<PreparedItem, 'sessionId'>

/** What was prepared of each item, in their order, or why it is refused. */
export interface PreparedPack {
  readonly sessionId: string
  readonly packId: string
  readonly items: readonly (Prepared | ServiceError)[]
  /** Where the bytes of new items lie; undefined where there are none. */
  readonly storeKey: string | undefined
}

type Call = Reads & By & Needs<'clock' | 'log' | 'newId' | 'pictures' | 'sessionKeys' | 'store'>

/** A `ServiceError` refuses one item. Any other error is a fault of the service, and the whole pack fails. */
const asRefusal = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  throw error
}

/** Looks at items in their order: a later one may repeat an earlier one. */
class Checks {
  /** Items whose bytes are new, once each. */
  readonly news: { readonly index: number; readonly part: PackPart }[] = []
  readonly #call: Call
  readonly #session: SessionRow
  readonly #known: Known
  readonly #held: number
  #more = 0
  readonly #firsts = new Map<string, string>()
  readonly #fresh = new Set<string>()

  constructor(call: Call, { session, known, held }: { session: SessionRow; known: Known; held: number }) {
    this.#call = call
    this.#session = session
    this.#known = known
    this.#held = held
  }

  async check(index: number, { said, bytes, beside }: SaidItem): Promise<Prepared> {
    const { clock, actor } = this.#call
    const { evidenceType, capturedAt } = said
    const now = clock.now()
    admitCapture(this.#session, laneOf(evidenceType, actor), evidenceType, capturedAt, now)
    await checkBytes(said, bytes)
    const same = this.#known.items.get(clientKey(said))
    if ((this.#firsts.get(clientKey(said)) ?? same?.sha256 ?? said.sha256) !== said.sha256) throw clientIdTaken()
    const twin = same ?? this.#known.bytes.get(bytesKey(said))
    const isNew = !twin && !this.#fresh.has(bytesKey(said))
    if (isNew) admitBytes(this.#session, { held: this.#held, more: this.#more + bytes.length }, now)
    const { item, decodable } = await measure(this.#call, { sessionId: this.#session.id, said, bytes, twin })
    this.#firsts.set(clientKey(said), said.sha256)
    if (isNew) {
      this.#more += bytes.length
      this.#fresh.add(bytesKey(said))
      this.news.push({ index, part: { bytes, beside } })
    }
    return { item, decodable, stored: undefined }
  }
}

/** The headers as rows keep them. */
const withSealed = async (
  call: Call,
  { sessionId, packId }: Pick<PreparedPack, 'sessionId' | 'packId'>,
  { storeKey, header, beside }: SealedPart,
): Promise<Prepared['stored']> => ({
  storeKey,
  packId,
  smallPlace: beside.small ?? null,
  levelsPlace: beside.levels ?? null,
  header: await call.sessionKeys.seal({ orgId: call.scope.orgId, sessionId, storeKey }, header),
})

/**
 * Before the transaction: every item is asked what one that comes alone is asked; then the new bytes are sealed, each under a
 * key of its own, into one object. When it resolves they are durable, or known to be here already. An item that is refused
 * says nothing of its neighbours. Throws `not_found` for a foreign session, and what is no item's fault.
 */
export const preparePack = async (
  call: Call,
  { sessionId, items }: { readonly sessionId: string; readonly items: readonly (SaidItem | ServiceError)[] },
): Promise<PreparedPack> => {
  const { orgId } = call.scope
  const session = await getSession(call, sessionId)
  const said = items.flatMap((item) => (item instanceof ServiceError ? [] : [item.said]))
  const known = await knownAmong(call, { sessionId, items: said })
  const held = await bytesOfSession(call.reader, call.scope, sessionId)
  const checks = new Checks(call, { session, known, held })
  const prepared: (Prepared | ServiceError)[] = []
  for (const [index, item] of items.entries())
    prepared.push(item instanceof ServiceError ? item : await checks.check(index, item).catch(asRefusal))
  const packId = call.newId('pck')
  const { news } = checks
  if (news.length === 0) return { sessionId, packId, items: prepared, storeKey: undefined }
  const key = `${orgId}/${packId}`
  const recipients = await recipientsOf(call, orgId)
  const sealed = await sealPack(
    news.map(({ part }) => part),
    { store: call.store, key, recipients },
  )
  const pack = { sessionId, packId, items: prepared, storeKey: key }
  try {
    for (const [n, { index }] of news.entries()) {
      const stored = await withSealed(call, pack, sealed[n]!)
      prepared[index] = { ...(prepared[index] as Prepared), stored }
    }
    return pack
  } catch (error) {
    // The session was erased meanwhile: nobody will ask for these bytes.
    await discardPack(call, pack)
    throw error
  }
}

/** After a refusal or a replay. */
export const discardPack = async (call: Needs<'log' | 'store'>, { storeKey }: PreparedPack): Promise<void> => {
  if (storeKey === undefined) return
  await call.store.remove(storeKey).catch((error: unknown) => call.log.warn({ err: error }, 'stored bytes remain'))
}
