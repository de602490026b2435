import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { slowFiles } from './slow-files.ts'
import { slowFilesLeft, turnsAfter } from './turns.ts'

const root = resolve(import.meta.dirname, '../..')
const all = Object.values(slowFiles).flat()
const turns = Array.from({ length: 16 }, (_, turn) => turn)

/** A repository with one commit for each list of files. */
const repository = (commits: readonly (readonly string[])[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'turns-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  git('init', '-q')
  for (const [n, files] of commits.entries()) {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), String(n))
    }
    git('add', '.')
    git('commit', '-q', '-m', 'a change')
  }
  return folder
}

describe('the slow files of a run', () => {
  it('are files that there are, each once', () => {
    expect(all.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
  })

  it.each(Object.entries(slowFiles))(
    'of the stream %s are each in one of eight turns, or of sixteen, as many as in any other',
    (stream, files) => {
      const folder = repository([])
      const parts = ['server', 'units'].includes(stream) ? 16 : 8
      const runs = turns.map((turn) => {
        const left = new Set(slowFilesLeft(turn, folder))
        return files.filter((file) => !left.has(file))
      })
      expect(runs.slice(0, parts).flat().toSorted()).toEqual(files.toSorted())
      for (const [turn, run] of runs.entries()) expect(run).toEqual(runs[turn % parts])
      for (const run of runs) expect(Math.abs(run.length - files.length / parts)).toBeLessThan(1)
    },
  )

  it('have with them those that the last twenty commits changed, and those that are being changed', () => {
    const [before = '', lately = '', now = ''] = slowFiles.server
    const further = Array.from({ length: 19 }, (_, n) => [`notes/${n}.md`])
    const folder = repository([[before], [lately, now], ...further])
    writeFileSync(join(folder, now), 'changed, and not committed')
    for (const turn of turns) expect(slowFilesLeft(turn, folder)).not.toContain(lately)
    for (const turn of turns) expect(slowFilesLeft(turn, folder)).not.toContain(now)
    expect(turns.filter((turn) => slowFilesLeft(turn, folder).includes(before))).toHaveLength(15)
  })
})

describe('a commit that changes many of them', () => {
  it('leaves them to their turn', () => {
    const [first = '', ...others] = slowFiles.server
    const folder = repository([[first], others.slice(0, 21)])
    expect(slowFilesLeft(0, folder)).toEqual(slowFilesLeft(0, repository([[first]])))
  })
})

describe('the turns of a run', () => {
  it('have each quarter on Postgres within four commits, and each pair of turns within 64', () => {
    const some = Array.from({ length: 31 }, (_, n) => turnsAfter(4_321 + n))
    for (const start of [0, 1, 7])
      expect(new Set(some.slice(start, start + 4).map(({ postgres }) => postgres)).size).toBe(4)
    expect(new Set(Array.from({ length: 64 }, (_, n) => JSON.stringify(turnsAfter(n)))).size).toBe(64)
    expect(new Set(some.map(({ slow }) => slow)).size).toBe(16)
  })
})
