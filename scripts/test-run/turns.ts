import { execFileSync, type StdioOptions } from 'node:child_process'
import { type StreamName, slowFiles } from './slow-files.ts'

const quarters = 4
/** Two thirds of the slow files are the server's, so a run has half as large a part of them. */
const partsOf: Readonly<Record<StreamName, number>> = { real: 8, pages: 8, packages: 8, units: 16, server: 16 }
const most = 16
/** What the last commits changed runs whatever its turn. One that changes many at once moves or renames something. */
const lastCommits = 20
const many = 20

const git = (root: string, args: readonly string[]): string => {
  const stdio: StdioOptions = ['ignore', 'pipe', 'ignore']
  try {
    return execFileSync('git', args, { cwd: root, stdio, maxBuffer: 64 * 2 ** 20 }).toString()
  } catch {
    return ''
  }
}

/** Which part of each a run has. */
export interface Turns {
  /** Of the suites that say the same to both engines: the quarter that runs on Postgres too. */
  readonly postgres: number
  /** Of the slow files: which of the sixteen parts runs, or of the eight, where a stream has eight. */
  readonly slow: number
}

/**
 * The parts of a run after so many commits. Four in a row have each quarter on Postgres. The slow files' turn moves on by
 * one more after each sixteen, so that every one of them meets every turn of Postgres within 64.
 */
export const turnsAfter = (commits: number): Turns => ({
  postgres: commits % quarters,
  slow: (commits + Math.floor(commits / most)) % most,
})

/** Commits so far, which go up by one. 0 where there is no history. */
export const commitCount = (root: string): number => Number(git(root, ['rev-list', '--count', 'HEAD']))

/** Slow files that each of the last commits changed, but for those that changed many, and those that are not yet committed. */
const changedLately = (root: string, slow: ReadonlySet<string>): ReadonlySet<string> => {
  const commits = git(root, ['log', `-${lastCommits}`, '--name-only', '--format=%x00']).split('\0')
  const changed = commits.map((names) => names.split('\n').filter((name) => slow.has(name)))
  const now = git(root, ['diff', '--name-only', 'HEAD']).split('\n')
  return new Set([...changed.filter((names) => names.length <= many).flat(), ...now])
}

/** The turn of one of a stream's files, which are longest first: to and fro, so that no turn has the longest of each row. */
const turnAt = (place: number, parts: number): number => {
  const column = place % parts
  return Math.floor(place / parts) % 2 === 0 ? column : parts - 1 - column
}

/** The slow files that a run leaves to others: not their turn, and not changed lately. Paths from the root. */
export const slowFilesLeft = (turn: number, root: string): string[] => {
  const changed = changedLately(root, new Set(Object.values(slowFiles).flat()))
  const left = Object.entries(slowFiles).flatMap(([stream, files]) => {
    const parts = partsOf[stream as StreamName]
    return files.filter((_, place) => turnAt(place, parts) !== turn % parts)
  })
  return left.filter((file) => !changed.has(file))
}
