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

/** Tells heads that a server with the master key wrote from those that somebody else put into the database. */
export interface ChainSeal {
  /** A head with its MAC. */
  seal(orgId: string, head: HeadState): SealedHead
  holds(orgId: string, head: SealedHead): boolean
  /** The next head of a chain; where the one before did not hold, it says so for good instead of hiding it. */
  follow(orgId: string, before: SealedHead, next: HeadState): SealedHead
}

const unsealed = /^unsealed:([0-9]{1,16})$/

/** The row at which a head without its MAC was first met; of any other head its own. */
export const unsealedAt = ({ seq, mac }: SealedHead): number => Math.min(Number(unsealed.exec(mac)?.[1] ?? seq), seq)

/** HMAC-SHA-256 over the lines `audit-head/1`, organisation, number of rows, hash of the last, rows signed. */
const macOf = (key: KeyObject, orgId: string, { seq, hash, signed }: HeadState): string =>
  createHmac('sha256', key).update(`audit-head/1\n${orgId}\n${seq}\n${hash}\n${signed}\n`).digest('hex')

export const createChainSeal = (keyring: Pick<Keyring, 'deriveKey'>): ChainSeal => {
  const key = keyring.deriveKey('audit-head')
  const seal: ChainSeal['seal'] = (orgId, { seq, hash, signed }) => {
    const head = { seq, hash, signed }
    return { ...head, mac: macOf(key, orgId, head) }
  }
  const holds: ChainSeal['holds'] = (orgId, head) => {
    const [given, made] = [Buffer.from(head.mac), Buffer.from(macOf(key, orgId, head))]
    return given.length === made.length && timingSafeEqual(given, made)
  }
  const follow: ChainSeal['follow'] = (orgId, before, next) =>
    holds(orgId, before) ? seal(orgId, next) : { ...next, mac: `unsealed:${unsealedAt(before)}` }
  return { seal, holds, follow }
}
