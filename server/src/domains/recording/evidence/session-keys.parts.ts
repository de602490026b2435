import { randomBytes } from 'node:crypto'
import type { Parts } from '../../../kernel/parts.ts'
import { Cache } from '../../../platform/cache.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { isSealedHeader, openHeader, sealHeader } from '../../../platform/crypto/sealed-header.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { findSessionKey, insertSessionKey } from './session-keys.store.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly sessionKeys: SessionKeys
  }
}

const keyBytes = 32
/** On which processes tell each other that keys were destroyed. */
export const sessionKeysChannel = 'session_keys'

/** How long a process that did not erase the session itself may hold its key, when the word of it was lost. Milliseconds. */
const heldMs = 4_000

interface Place {
  readonly orgId: string
  readonly sessionId: string
  readonly storeKey: string
}

const contextOf = ({ orgId, sessionId }: Omit<Place, 'storeKey'>) => `session-key:${orgId}:${sessionId}`

/** A key for each session, under which the headers of its objects lie: when it is destroyed none of them opens any more. */
export class SessionKeys {
  readonly #parts: Pick<Parts, 'clock' | 'db' | 'keyring'>
  readonly #held: Cache<Buffer>

  constructor(parts: Pick<Parts, 'clock' | 'db' | 'keyring'>) {
    this.#parts = parts
    this.#held = new Cache({ limit: 1000, age: { ms: heldMs, now: () => parts.clock.now() } })
  }

  /** The header of a new object as a row keeps it. Outside of transactions: the first one of a session makes its key. */
  async seal(place: Place, header: string): Promise<string> {
    const key = (await this.#find(this.#parts.db.reader, place)) ?? (await this.#make(place))
    return sealHeader(key, header, place.storeKey)
  }

  /** The header that a row keeps, opened. Throws `AgeError('no_matching_identity')` once the key was destroyed. */
  async open(reader: Reader, place: Place, header: string): Promise<string> {
    if (!isSealedHeader(header)) return header
    const key = await this.#find(reader, place)
    if (!key) throw new AgeError('no_matching_identity', 'the key of this session was destroyed')
    return openHeader(key, header, place.storeKey)
  }

  /** In every process. */
  forget(place: Omit<Place, 'storeKey'>): void {
    this.#held.delete(contextOf(place))
    this.#parts.db.notify(sessionKeysChannel)
  }

  /** Another process has destroyed one of them. */
  forgetAll(): void {
    this.#held.clear()
  }

  async #find(reader: Reader, place: Place): Promise<Buffer | undefined> {
    const context = contextOf(place)
    const held = this.#held.get(context)
    if (held) return held
    const wrapped = await findSessionKey(reader, place)
    if (wrapped === undefined) return undefined
    const key = this.#parts.keyring.unwrap(wrapped, context)
    this.#held.set(context, key)
    return key
  }

  async #make(place: Place): Promise<Buffer> {
    const { db, keyring } = this.#parts
    const wrapped = keyring.wrap(randomBytes(keyBytes), contextOf(place))
    await db.transact((tx) => insertSessionKey(tx, place, wrapped))
    const key = await this.#find(db.reader, place)
    if (!key) throw new AgeError('no_matching_identity', 'this session was erased meanwhile')
    return key
  }
}
