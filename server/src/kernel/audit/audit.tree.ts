import { hash } from 'node:crypto'

/** Leaves from `from` up to, not including, `to`. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** RFC 9162, section 2.1.1: the hash of a leaf. */
export const leafHash = (leaf: Uint8Array): Buffer => sha256(Buffer.concat([Uint8Array.of(0), leaf]))
/** The same of a node over its two children. */
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([Uint8Array.of(1), left, right]))

/** The hash of a tree without leaves. */
const emptyRoot = sha256(new Uint8Array())

/** The largest power of two below a number from 2 on. */
const split = (size: number): number => {
  let k = 1
  while (k * 2 < size) k *= 2
  return k
}

const inclusionIn = ({ from, to }: Stretch, index: number): Stretch[] => {
  if (to - from <= 1) return []
  const middle = from + split(to - from)
  return index < middle
    ? [...inclusionIn({ from, to: middle }, index), { from: middle, to }]
    : [...inclusionIn({ from: middle, to }, index), { from, to: middle }]
}

/** Section 2.1.3.1: whose hashes show that the leaf is in a tree of this size, from the leaf to the root. */
export const inclusionStretches = (index: number, size: number): Stretch[] => {
  if (!(index >= 0 && index < size)) throw new RangeError('the tree does not reach so far')
  return inclusionIn({ from: 0, to: size }, index)
}

const consistencyIn = ({ from, to }: Stretch, first: number, known: boolean): Stretch[] => {
  if (first === to) return known ? [] : [{ from, to }]
  const middle = from + split(to - from)
  return first <= middle
    ? [...consistencyIn({ from, to: middle }, first, known), { from: middle, to }]
    : [...consistencyIn({ from: middle, to }, first, false), { from, to: middle }]
}

/** Section 2.1.4.1: whose hashes show that a tree of `first` leaves became one of `second` by appending. */
export const consistencyStretches = (first: number, second: number): Stretch[] => {
  if (!(first >= 1 && first <= second)) throw new RangeError('there is nothing to compare')
  return consistencyIn({ from: 0, to: second }, first, true)
}

/** The complete trees of a stretch, the largest first: level (2^level leaves) and place among those of that level. */
const completeIn = ({ from, to }: Stretch): { level: number; place: number }[] => {
  const parts: { level: number; place: number }[] = []
  for (let at = from; at < to; ) {
    const level = Math.floor(Math.log2(to - at))
    parts.push({ level, place: at / 2 ** level })
    at += 2 ** level
  }
  return parts
}

/** Takes the leaves one after the other, and remembers of all hashes only those that were asked for beforehand. */
export class TreeHashes {
  size = 0
  /** The complete trees so far, the largest first. */
  readonly #edge: { level: number; hash: Buffer }[] = []
  readonly #wanted: (Map<number, Buffer | undefined> | undefined)[] = []

  constructor(wanted: Iterable<Stretch> = []) {
    for (const stretch of wanted)
      for (const { level, place } of completeIn(stretch)) {
        this.#wanted[level] ??= new Map()
        this.#wanted[level].set(place, undefined)
      }
  }

  add(leaf: Uint8Array): void {
    let node = { level: 0, hash: leafHash(leaf) }
    this.size += 1
    for (;;) {
      const wanted = this.#wanted[node.level]
      const place = this.size / 2 ** node.level - 1
      if (wanted?.has(place)) wanted.set(place, node.hash)
      const before = this.#edge.at(-1)
      if (before?.level !== node.level) break
      this.#edge.pop()
      node = { level: node.level + 1, hash: nodeHash(before.hash, node.hash) }
    }
    this.#edge.push(node)
  }

  /** Of all leaves so far. */
  root(): Buffer {
    return folded(this.#edge.map(({ hash: of }) => of)) ?? emptyRoot
  }

  /** Of a stretch that was asked for, once all of it was added. */
  hashOf(stretch: Stretch): Buffer {
    const parts = completeIn(stretch).map(({ level, place }) => this.#wanted[level]?.get(place))
    const whole = parts.every((part) => part !== undefined) ? folded(parts) : undefined
    if (!whole)
      throw new RangeError(`nobody asked for leaves ${stretch.from} to ${stretch.to}, or they are still to come`)
    return whole
  }
}

const folded = (parts: readonly Buffer[]): Buffer | undefined =>
  parts.reduceRight<Buffer | undefined>((right, left) => (right ? nodeHash(left, right) : left), undefined)

/** Section 2.1.3.2. */
export const verifyInclusion = (
  leaf: Uint8Array,
  { index, size, path, root }: { index: number; size: number; path: readonly Buffer[]; root: Buffer },
): boolean => {
  if (!(index >= 0 && index < size)) return false
  let [fn, sn, r] = [index, size - 1, leafHash(leaf)]
  for (const p of path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else r = nodeHash(r, p)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && r.equals(root)
}

interface TreeHead {
  readonly size: number
  readonly root: Buffer
}

/** Section 2.1.4.2. */
export const verifyConsistency = (first: TreeHead, second: TreeHead, proof: readonly Buffer[]): boolean => {
  if (!(first.size >= 1 && first.size <= second.size)) return false
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root)
  const isPower = Number.isInteger(Math.log2(first.size))
  const [start, ...rest] = isPower ? [first.root, ...proof] : proof
  if (start === undefined || rest.length === 0) return false
  let [fn, sn] = [first.size - 1, second.size - 1]
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  let [fr, sr] = [start, start]
  for (const c of rest) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      ;[fr, sr] = [nodeHash(c, fr), nodeHash(c, sr)]
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else sr = nodeHash(sr, c)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && fr.equals(first.root) && sr.equals(second.root)
}
