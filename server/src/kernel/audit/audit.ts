import { Cache } from '../../platform/cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Db, Tx } from '../../platform/db/types.ts'
import { type AuditRow, genesisHash, rowHash, sealPayload } from './audit.chain.ts'
import { insertCheckpoint } from './audit.checkpoint.store.ts'
import { type CheckpointKey, checkpointKey, signCheckpoint } from './audit.checkpoint.ts'
import { takeSalt } from './audit.commitments.store.ts'
import { commitmentsOf } from './audit.commitments.ts'
import { type ChainSeal, createChainSeal, type SealedHead } from './audit.seal.ts'
import {
  appendRemembered,
  type Continuation,
  headsWithoutMac,
  insertPayload,
  insertRows,
  lockHead,
  updateHead,
} from './audit.store.ts'
import type { ActedEntry, Audit } from './audit.types.ts'

type Unlinked = Omit<AuditRow, 'seq' | 'prevHash' | 'at'> & { readonly at: number }

const columnsOf = ({ actor, ...row }: Unlinked) => ({ ...row, actorKind: actor.kind, actorId: actor.id })

/** The rows as they follow a head, and the head after them. */
const continueFrom = (seal: ChainSeal, orgId: string, before: SealedHead, rows: readonly Unlinked[]): Continuation => {
  let prevHash = before.seq === 0 ? genesisHash : before.hash
  const linked = rows.map((row, n) => {
    const link = { seq: before.seq + n + 1, prevHash }
    prevHash = rowHash({ ...row, ...link, at: new Date(row.at).toISOString() })
    return { ...columnsOf(row), ...link, hash: prevHash }
  })
  const next = { seq: before.seq + rows.length, hash: prevHash, signed: before.signed }
  return { rows: linked, head: seal.follow(orgId, before, next) }
}

/** The entry with what its records come to in its payload. */
const withRecords = async (entry: ActedEntry, saltOf: (sessionId: string) => Promise<string>): Promise<ActedEntry> => {
  const { records, target, sessionId } = entry
  if (!records) return entry
  const salt = records.length > 0 ? await saltOf(sessionId ?? '') : ''
  return { ...entry, payload: { ...entry.payload, records: commitmentsOf(salt, target, records) } }
}

/** The row of an entry before it has a place in the chain, and its payload ready to be stored. */
const prepareRow = (orgId: string, at: number, entry: ActedEntry) => {
  const { actor, action, target, sessionId = null, payload, commitsTo = null } = entry
  const sealed = payload ? sealPayload(payload) : undefined
  const who = { kind: actor.kind, id: actor.id }
  const row: Unlinked = { orgId, at, actor: who, action, target, sessionId, payloadHash: sealed?.hash ?? commitsTo }
  return { row, sealed }
}

const same = (a: SealedHead, b: SealedHead): boolean =>
  a.seq === b.seq && a.hash === b.hash && a.signed === b.signed && a.mac === b.mac

/** A checkpoint that was kept; without a note one that could not be signed, as somebody else wrote the head. */
export interface Announced {
  readonly orgId: string
  readonly size: number
  readonly note?: string
}
interface Signing {
  readonly key: CheckpointKey
  readonly announce: (checkpoint: Announced) => void
}

/** Heads as this process left them: where one still stands, a row is appended without reading it first. */
class Chains {
  readonly #heads = new Cache<SealedHead>({ limit: 2000 })
  readonly #seal: ChainSeal
  readonly #signing: Signing

  constructor(seal: ChainSeal, signing: Signing) {
    this.#seal = seal
    this.#signing = signing
  }

  async sign(tx: Tx, orgId: string, at: number): Promise<void> {
    const head = await lockHead(tx, orgId)
    if (head.seq === head.signed) return
    const { key, announce } = this.#signing
    if (!this.#seal.holds(orgId, head)) {
      announce({ orgId, size: head.seq })
      return
    }
    const note = signCheckpoint(key, orgId, head)
    const place = { size: head.seq, previous: head.signed, note }
    await insertCheckpoint(tx, orgId, { ...place, at, mac: this.#seal.link(orgId, place) })
    const signed = this.#seal.seal(orgId, { ...head, signed: head.seq })
    await updateHead(tx, orgId, signed)
    tx.afterCommit(() => {
      if (tx.changesInWith) this.#heads.set(orgId, signed)
      announce({ orgId, size: head.seq, note })
    })
  }

  /** Answers the `seq` of the first. */
  async append(tx: Tx, orgId: string, rows: readonly Unlinked[]): Promise<number> {
    const remembered = tx.changesInWith ? this.#heads.get(orgId) : undefined
    if (remembered) {
      const next = continueFrom(this.#seal, orgId, remembered, rows)
      const stood = await appendRemembered(tx, orgId, remembered, next)
      return same(stood, remembered) ? this.#appended(tx, orgId, next) : this.#behind(tx, orgId, stood, rows)
    }
    return this.#behind(tx, orgId, await lockHead(tx, orgId), rows)
  }

  async #behind(tx: Tx, orgId: string, locked: SealedHead, rows: readonly Unlinked[]): Promise<number> {
    const next = continueFrom(this.#seal, orgId, locked, rows)
    await insertRows(tx, orgId, next)
    return this.#appended(tx, orgId, next)
  }

  #appended(tx: Tx, orgId: string, { rows, head }: Continuation): number {
    if (tx.changesInWith) tx.afterCommit(() => this.#heads.set(orgId, head))
    return head.seq - rows.length + 1
  }
}

export interface AuditOptions {
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'deriveKey'>
  /** Told of every checkpoint once it is kept. */
  readonly announce?: (checkpoint: Announced) => void
}

export const createAudit = ({ clock, keyring, announce = () => undefined }: AuditOptions): Audit => {
  const seal = createChainSeal(keyring)
  const chains = new Chains(seal, { key: checkpointKey(keyring), announce })
  const appendAll: Audit['appendAll'] = async ({ tx, scope: { orgId } }, entries) => {
    if (entries.length === 0) return
    const at = clock.now()
    const salts = new Map<string, string>()
    const saltOf = async (sessionId: string) => {
      const salt = salts.get(sessionId) ?? (await takeSalt(tx, { orgId, sessionId }))
      salts.set(sessionId, salt)
      return salt
    }
    const prepared: ReturnType<typeof prepareRow>[] = []
    for (const entry of entries) prepared.push(prepareRow(orgId, at, await withRecords(entry, saltOf)))
    const first = await chains.append(
      tx,
      orgId,
      prepared.map(({ row }) => row),
    )
    for (const [n, { sealed }] of prepared.entries())
      if (sealed) await insertPayload(tx, orgId, first + n, sealed.salt, sealed.text)
  }
  return {
    begin: (tx, orgId) => updateHead(tx, orgId, seal.seal(orgId, { seq: 0, hash: '', signed: 0 })),
    append: (call, entry) => appendAll(call, [{ ...entry, actor: call.actor }]),
    appendAll,
    sign: (tx, orgId) => chains.sign(tx, orgId, clock.now()),
  }
}

/** Seals heads as they stand: of chains that are older than their seals. Answers how many. */
export const sealUnsealed = async (db: Db, seal: ChainSeal): Promise<number> => {
  for (let sealed = 0; ; ) {
    const found = await headsWithoutMac(db.reader, 500)
    if (found.length === 0) return sealed
    await db.transact(async (tx) => {
      for (const { orgId } of found) await updateHead(tx, orgId, seal.seal(orgId, await lockHead(tx, orgId)))
    })
    sealed += found.length
  }
}
