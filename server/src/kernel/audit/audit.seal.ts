import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../platform/crypto/keyring.ts'

/** What the head of a chain states. */
export interface HeadState {
  /** Number of the last row, and so of rows. */
  readonly seq: number
  /** Its hash; '' while there is no row. */
  readonly hash: string
  /** Rows that the newest kept checkpoint covers; 0 before the first. */
  readonly signed: number
}

export interface SealedHead extends HeadState {
  readonly mac: string
}

/** A kept checkpoint in its place. */
export interface CheckpointLink {
  readonly size: number
  /** Size of the one before it; 0 for the first. */
  readonly previous: number
  readonly note: string
}

/** Tells heads that a server with the master key wrote from those that somebody else put into the database. */
export interface ChainSeal {
  /** A head with its MAC. */
  seal(orgId: string, head: HeadState): SealedHead
  holds(orgId: string, head: SealedHead): boolean
  /** The next head of a chain; where the one before did not hold, it says so for good instead of hiding it. */
  follow(orgId: string, before: SealedHead, next: HeadState): SealedHead
  /** The MAC of a kept checkpoint, which binds it to the one before. */
  link(orgId: string, checkpoint: CheckpointLink): string
  linkHolds(orgId: string, checkpoint: CheckpointLink & { readonly mac: string }): boolean
}

const unsealed = /^unsealed:([0-9]{1,16})$/

/** The row at which a head without its MAC was first met; of any other head its own. */
export const unsealedAt = ({ seq, mac }: SealedHead): number => Math.min(Number(unsealed.exec(mac)?.[1] ?? seq), seq)

/** HMAC-SHA-256 over the lines `audit-head/1`, organisation, number of rows, hash of the last, rows signed. */
const macOf = (key: KeyObject, orgId: string, { seq, hash, signed }: HeadState): string =>
  createHmac('sha256', key).update(`audit-head/1\n${orgId}\n${seq}\n${hash}\n${signed}\n`).digest('hex')

/** The same over `audit-checkpoint/1`, organisation, size, size before, and the note to its end. */
const linkOf = (key: KeyObject, orgId: string, { size, previous, note }: CheckpointLink): string =>
  createHmac('sha256', key).update(`audit-checkpoint/1\n${orgId}\n${size}\n${previous}\n${note}`).digest('hex')

const equal = (given: string, made: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(made)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const createChainSeal = (keyring: Pick<Keyring, 'deriveKey'>): ChainSeal => {
  const key = keyring.deriveKey('audit-head')
  const seal: ChainSeal['seal'] = (orgId, { seq, hash, signed }) => {
    const head = { seq, hash, signed }
    return { ...head, mac: macOf(key, orgId, head) }
  }
  const holds: ChainSeal['holds'] = (orgId, head) => equal(head.mac, macOf(key, orgId, head))
  const link: ChainSeal['link'] = (orgId, checkpoint) => linkOf(key, orgId, checkpoint)
  const follow: ChainSeal['follow'] = (orgId, before, next) =>
    holds(orgId, before) ? seal(orgId, next) : { ...next, mac: `unsealed:${unsealedAt(before)}` }
  const linkHolds: ChainSeal['linkHolds'] = (orgId, checkpoint) => equal(checkpoint.mac, link(orgId, checkpoint))
  return { seal, holds, follow, link, linkHolds }
}
