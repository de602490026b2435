import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readyNode } from './install.mjs'

const execPath = process.execPath
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ready-node-'))
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  // Of somebody who has no Node that is new enough.
  process.execPath = join(root, 'none')
})
afterEach(() => {
  process.execPath = execPath
  rmSync(root, { recursive: true })
})

const place = (lines: string): string => {
  const program = join(root, 'node_modules/.bin/node')
  writeFileSync(program, `#!/bin/sh\n${lines}\n`)
  chmodSync(program, 0o755)
  return program
}

describe('the Node that runs the commands [needs a POSIX shell]', () => {
  it('is the one of the lockfile where that starts', () => {
    const program = place('echo v26.10.0')
    expect(readyNode(root)).toBe(program)
  })

  it('says which library of the system it lacks, and how it is installed', () => {
    const words = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file'
    place(`echo "node: ${words}" >&2; exit 127`)
    expect(() => readyNode(root)).toThrow('apt-get install libatomic1')
  })

  it('is to be installed by hand where none starts', () => {
    place('exit 1')
    expect(() => readyNode(root)).toThrow('Install Node.js 26 or newer yourself')
  })
})
