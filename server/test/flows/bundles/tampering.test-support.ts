import type { CheckpointKey } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { type Line, type Members, sealed } from './bundles.test-support.ts'

/** What there is to tamper with and with what. */
export interface Material {
  readonly members: Members
  /** The bundle of a session of the same organisation, made before the other one began. */
  readonly other: Members
  readonly seal: { readonly key: CheckpointKey; readonly orgId: string }
  /** A key that is not the organisation's. */
  readonly foreign: CheckpointKey
}

export interface Tampering {
  readonly name: string
  readonly members: Members | readonly (readonly [string, Buffer])[]
  /** `fault where`, sorted. */
  readonly faults: readonly string[]
}

export const linesIn = <T = Line>(members: Members, path: string): T[] =>
  members
    .get(path)!
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const lineBytes = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
export const jsonIn = <T>(members: Members, path: string): T => JSON.parse(members.get(path)!.toString()) as T
const jsonBytes = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** What tampers with a bundle; an insider has the key and seals it again. */
export const toolsFor = ({ members, seal }: Material) => {
  const put = (path: string, bytes: Buffer): Members => new Map([...members, [path, bytes]])
  const without = (...paths: string[]): Members => new Map([...members].filter(([path]) => !paths.includes(path)))
  const change = <T>(path: string, by: (value: T) => unknown) => put(path, jsonBytes(by(jsonIn<T>(members, path))))
  const changeLines = <T = Line>(path: string, by: (lines: T[]) => unknown[]) =>
    put(path, lineBytes(by(linesIn<T>(members, path))))
  const paths = [...members.keys()].filter((path) => path.startsWith('evidence/'))
  const idOf = (path: string) => /evd_\w+/.exec(path)![0]
  return {
    put,
    without,
    change,
    changeLines,
    paths,
    idOf,
    insider: (changed: Members, by?: (part: Line) => Line | undefined) => sealed(seal, changed, by),
  }
}
