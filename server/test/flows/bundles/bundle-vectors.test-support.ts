import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Members } from './bundles.test-support.ts'
import type { Tampering } from './tampering.test-support.ts'

/** Of a member: its text, its bytes, or which lines of it (from 0) are others. */
type Written =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly lines: Readonly<Record<string, string>> }

interface Vectors {
  readonly description: string
  readonly verifierKey: string
  readonly members: Readonly<Record<string, Written>>
  readonly cases: readonly {
    readonly name: string
    readonly faults: readonly string[]
    readonly removed?: readonly string[]
    readonly changed?: Readonly<Record<string, Written>>
    /** Stand a second time at the end of the file. */
    readonly again?: Readonly<Record<string, Written>>
  }[]
}

const file = join(import.meta.dirname, '../../../../shared-protocol/vectors/session-bundle.json')

const description =
  'A bundle by its members in their order, and what somebody did to it: members that were changed, removed, or stand a second time ' +
  'at the end. `lines` are the lines of a member, from 0, that are others. Of each case, the faults that a verifier names, each ' +
  'with the place where it is; see docs/proof.md.'

const written = (bytes: Buffer, before?: Buffer): Written => {
  const text = bytes.toString()
  if (!Buffer.from(text).equals(bytes)) return { base64: bytes.toString('base64') }
  const [lines, old] = [text.split('\n'), before?.toString().split('\n')]
  if (old?.length !== lines.length || lines.length < 3) return { text }
  return { lines: Object.fromEntries(lines.flatMap((line, n) => (line === old[n] ? [] : [[n, line]]))) }
}

const caseOf = (members: Members, { name, members: made, faults }: Tampering): Vectors['cases'][number] => {
  const all = [...made]
  const last = new Map(all)
  const again = all.slice(last.size)
  const now = again.length > 0 ? new Map(all.slice(0, last.size)) : last
  const changed = [...now]
    .filter(([path, bytes]) => !members.get(path)?.equals(bytes))
    .map(([path, bytes]) => [path, written(bytes, members.get(path))])
  const removed = [...members.keys()].filter((path) => !now.has(path))
  return {
    name,
    faults: faults.toSorted(),
    ...(removed.length > 0 ? { removed } : {}),
    ...(changed.length > 0 ? { changed: Object.fromEntries(changed) } : {}),
    ...(again.length > 0 ? { again: Object.fromEntries(again.map(([path, bytes]) => [path, written(bytes)])) } : {}),
  }
}

/** Freezes a bundle and its cases for everybody who writes a verifier. */
export const writeVectors = (verifierKey: string, members: Members, cases: readonly Tampering[]): void => {
  const vectors: Vectors = {
    description,
    verifierKey,
    members: Object.fromEntries([...members].map(([path, bytes]) => [path, written(bytes)])),
    cases: cases.map((one) => caseOf(members, one)),
  }
  writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`)
}

const readMember = (member: Written, before?: Buffer): Buffer => {
  if ('text' in member) return Buffer.from(member.text)
  if ('base64' in member) return Buffer.from(member.base64, 'base64')
  const lines = before!.toString().split('\n')
  return Buffer.from(lines.map((line, n) => member.lines[n] ?? line).join('\n'))
}

export const readVectors = () => {
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors
  const members: Members = new Map(Object.entries(vectors.members).map(([path, one]) => [path, readMember(one)]))
  const cases = vectors.cases.map(({ name, faults, removed = [], changed = {}, again = {} }): Tampering => {
    const made = new Map([...members].filter(([path]) => !removed.includes(path)))
    for (const [path, one] of Object.entries(changed)) made.set(path, readMember(one, members.get(path)))
    return {
      name,
      faults,
      members: [...made, ...Object.entries(again).map(([path, one]) => [path, readMember(one)] as const)],
    }
  })
  return { verifierKey: vectors.verifierKey, members, cases }
}
