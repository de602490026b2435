import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  consistencyStretches,
  inclusionStretches,
  leafHash,
  TreeHashes,
  verifyConsistency,
  verifyInclusion,
} from './audit.tree.ts'

interface Vectors {
  readonly leaves: readonly string[]
  readonly emptyRoot: string
  readonly roots: readonly string[]
  readonly inclusion: readonly { readonly index: number; readonly size: number; readonly path: readonly string[] }[]
  readonly consistency: readonly {
    readonly first: number
    readonly second: number
    readonly proof: readonly string[]
  }[]
}
const file = new URL('../../../../shared-protocol/vectors/merkle-tree.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

const fromHex = (text: string) => Buffer.from(text, 'hex')
const leaves = vectors.leaves.map(fromHex)
const grown = (all: readonly Buffer[], stretches?: Parameters<typeof consistencyStretches>) => {
  const tree = new TreeHashes(stretches ? consistencyStretches(...stretches) : [])
  for (const leaf of all) tree.add(leaf)
  return tree
}
const pathOf = (all: readonly Buffer[], index: number, size: number) => {
  const stretches = inclusionStretches(index, size)
  const tree = new TreeHashes(stretches)
  for (const leaf of all) tree.add(leaf)
  return stretches.map((stretch) => tree.hashOf(stretch))
}
const proofOf = (all: readonly Buffer[], first: number, second: number) => {
  const tree = grown(all, [first, second])
  return consistencyStretches(first, second).map((stretch) => tree.hashOf(stretch))
}
const rootOf = (all: readonly Buffer[], size: number) => grown(all.slice(0, size)).root()

describe('the published vectors of RFC 9162 trees', () => {
  it('have these roots', () => {
    expect(grown([]).root().toString('hex')).toBe(vectors.emptyRoot)
    expect(vectors.roots.map((_, n) => rootOf(leaves, n + 1).toString('hex'))).toEqual(vectors.roots)
    expect(leafHash(leaves[0]!).toString('hex')).toBe(vectors.roots[0])
  })

  it.each(vectors.inclusion)('leaf $index is in a tree of $size', ({ index, size, path }) => {
    expect(pathOf(leaves, index, size).map((hash) => hash.toString('hex'))).toEqual(path)
    const proof = { index, size, path: path.map(fromHex), root: fromHex(vectors.roots[size - 1]!) }
    expect(verifyInclusion(leaves[index]!, proof)).toBe(true)
  })

  it.each(vectors.consistency)('$first leaves became $second', ({ first, second, proof }) => {
    expect(proofOf(leaves, first, second).map((hash) => hash.toString('hex'))).toEqual(proof)
    const head = (size: number) => ({ size, root: fromHex(vectors.roots[size - 1]!) })
    expect(verifyConsistency(head(first), head(second), proof.map(fromHex))).toBe(true)
  })
})

describe('a proof', () => {
  const many = Array.from({ length: 70 }, (_, n) => Buffer.from(`leaf ${n}`))
  const pairs = fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 }))

  it('of inclusion holds for its leaf, place and root, and for no other', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([a, b], pick) => {
        const [index, size] = [Math.min(a, b) - 1, Math.max(a, b)]
        const [path, root] = [pathOf(many, index, size), rootOf(many, size)]
        const holds = (change: object, leaf = many[index]!) =>
          verifyInclusion(leaf, { index, size, path, root, ...change })
        expect(holds({})).toBe(true)
        expect(holds({}, Buffer.from('other'))).toBe(false)
        expect(holds({ root: leafHash(root) })).toBe(false)
        expect(holds({ path: [...path, root] })).toBe(false)
        expect(holds({ index: size })).toBe(false)
        if (path.length === 0) return
        const at = pick % path.length
        expect(holds({ path: path.toSpliced(at, 1) })).toBe(false)
        expect(holds({ path: path.with(at, root) })).toBe(false)
      }),
    )
  })

  it('of consistency holds for its two trees, and for no other', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([a, b], pick) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)]
        const proof = proofOf(many, first, second)
        const [before, after] = [first, second].map((size) => ({ size, root: rootOf(many, size) })) as [
          { size: number; root: Buffer },
          { size: number; root: Buffer },
        ]
        expect(verifyConsistency(before, after, proof)).toBe(true)
        expect(verifyConsistency({ ...before, root: leafHash(before.root) }, after, proof)).toBe(false)
        expect(verifyConsistency(before, { ...after, root: leafHash(after.root) }, proof)).toBe(false)
        expect(verifyConsistency(before, after, [...proof, after.root])).toBe(false)
        if (proof.length === 0) return
        const at = pick % proof.length
        expect(verifyConsistency(before, after, proof.toSpliced(at, 1))).toBe(false)
        expect(verifyConsistency(before, after, proof.with(at, Buffer.alloc(32)))).toBe(false)
      }),
    )
  })

  it('is not made of what a tree does not have', () => {
    expect(() => inclusionStretches(3, 3)).toThrow(RangeError)
    expect(() => consistencyStretches(0, 3)).toThrow(RangeError)
    expect(() => consistencyStretches(4, 3)).toThrow(RangeError)
    expect(() => grown(leaves).hashOf({ from: 0, to: 4 })).toThrow(RangeError)
  })
})
