import type { CommittingEntry } from './audit.commitments.store.ts'
import type { RecordKind } from './audit.commitments.ts'
import { recordKey, type SessionRecord, touchedBy } from './audit.commitments.ts'
import { payloadHolds } from './audit.digest.ts'

/** Of a record that is there, and of which nothing is known but that. */
const unknown = Symbol('unknown')
type Said = string | null | typeof unknown

type Key = Pick<SessionRecord, 'kind' | 'id'>

/** Kinds that an erasure commits to as one. */
const leftAsOne: ReadonlySet<string> = new Set<RecordKind>(['evidence', 'evidence_said'])

const kindOf = (key: string): string => key.split(' ', 1)[0] ?? ''

/** What the rows of a session's trail say of its records, taken one after the other in the order of the chain. */
export class Committed {
  readonly #sessionId: string
  readonly #said = new Map<string, Said>()
  /** How many more of a kind may be there that no row commits to. */
  readonly #unnamed = new Map<RecordKind, number>()
  #anyMayBe = false
  /** Number of the first row whose payload was taken away, and which no erasure took. */
  lostAt: number | undefined
  /** Whether the whole session was erased, and what was left committed to. */
  isErased = false
  /** How many objects the trail says were erased before that. */
  erasedObjects = 0
  last = 0

  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  take(entry: CommittingEntry): void {
    this.last = entry.seq
    const { action, payload } = entry
    if (action === 'session.erased') this.#erase()
    const isLost = entry.payloadHash !== null && (payload === null || entry.salt === null || !payloadHolds(entry))
    if (isLost) this.lostAt ??= entry.seq
    const said =
      payload === null || isLost
        ? {}
        : (JSON.parse(payload) as { records?: Record<string, string | null>; objects?: number })
    if (action === 'session.partly_erased') this.erasedObjects += said.objects ?? 0
    if (action === 'session.erased') this.#anyMayBe = said.records === undefined
    if (said.records) this.#commit(entry, said.records)
    else this.#touch(entry)
  }

  /** What an earlier version did to records. */
  #touch({ action, target }: CommittingEntry): void {
    for (const [kind, which] of touchedBy[action] ?? []) {
      if (which === 'one') this.#unnamed.set(kind, (this.#unnamed.get(kind) ?? 0) + 1)
      // How many is in the payload, and that is gone.
      else if (which === 'several') this.#unnamed.set(kind, Number.POSITIVE_INFINITY)
      else this.#said.set(`${kind} ${which === 'session' ? this.#sessionId : target}`, unknown)
    }
  }

  #commit({ target }: CommittingEntry, records: Record<string, string | null>): void {
    for (const [key, hash] of Object.entries(records))
      this.#said.set(key.includes(' ') ? key : `${key} ${target}`, hash)
  }

  #erase(): void {
    this.isErased = true
    this.lostAt = undefined
    for (const kind of this.#unnamed.keys()) if (!leftAsOne.has(kind)) this.#unnamed.delete(kind)
    for (const key of this.#said.keys())
      if (leftAsOne.has(kindOf(key))) this.#said.set(key, unknown)
      else this.#said.delete(key)
  }

  /** Whether the trail says what stands there, as what; nothing where it says that it is there and no more. */
  of(record: Key): { readonly hash: string | null } | undefined {
    const said = this.#said.get(recordKey(record, ''))
    return typeof said === 'symbol' || said === undefined ? undefined : { hash: said }
  }

  /** Whether there is anything that a salt is needed for. */
  isAnySaid(): boolean {
    return [...this.#said.values()].some((said) => typeof said === 'string')
  }

  /** Takes a record off what has to be there. False for one that the trail does not know of. */
  find(record: Key): boolean {
    const key = recordKey(record, '')
    const said = this.#said.get(key)
    this.#said.delete(key)
    if (said === null) return false
    if (said !== undefined || this.#anyMayBe) return true
    const left = this.#unnamed.get(record.kind) ?? 0
    this.#unnamed.set(record.kind, left - 1)
    return left > 0
  }

  /** What has to be there and was not found, by kind and id. */
  *missing(): Generator<Key> {
    for (const [key, said] of this.#said) {
      const kind = kindOf(key) as RecordKind
      // What an earlier version placed and released again leaves no mark.
      if (said === null || (said === unknown && kind === 'hold_mark')) continue
      yield { kind, id: key.slice(kind.length + 1) }
    }
  }
}
