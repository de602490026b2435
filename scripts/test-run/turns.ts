import { execFileSync, type StdioOptions } from 'node:child_process'
import { slowFiles } from './slow-files.ts'

const quarters = 4
const eighths = 8
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
  /** Of the slow files: the eighth that runs. */
  readonly slow: number
}

/**
 * The parts of a run after so many commits. Four in a row have each quarter on Postgres. The slow files' turn moves on by
 * one more after each eight, so that every one of them meets every turn of Postgres within 32.
 */
export const turnsAfter = (commits: number): Turns => ({
  postgres: commits % quarters,
  slow: (commits + Math.floor(commits / eighths)) % eighths,
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

/** The turn of one of a stream's files, which are longest first: to and fro, so that no turn has the longest of each eight. */
const turnAt = (place: number): number => {
  const column = place % eighths
  return Math.floor(place / eighths) % 2 === 0 ? column : eighths - 1 - column
}

/** The slow files that a run leaves to others: not their turn, and not changed lately. Paths from the root. */
export const slowFilesLeft = (turn: number, root: string): string[] => {
  const changed = changedLately(root, new Set(Object.values(slowFiles).flat()))
  const left = Object.values(slowFiles).flatMap((files) => files.filter((_, place) => turnAt(place) !== turn))
  return left.filter((file) => !changed.has(file))
}
