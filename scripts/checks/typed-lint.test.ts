import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fingerprints, notKnownClean, readClean, writeClean } from './typed-lint.ts'

const tree = {
  'server/src/a.ts': "import { b } from './b.ts'\n",
  'server/src/b.ts': "import type { C } from '../test/c.ts'\n",
  'server/test/c.ts': 'export type C = 1\n',
  'server/src/alone.ts': 'export const alone = 1\n',
  'companion/src/screen.tsx': "import { camera } from './camera'\nimport { x } from '@integrity/protocol/clients/x'\n",
  'companion/src/camera.web.ts': 'export const camera = 1\n',
  'shared-protocol/package.json': '{ "name": "@integrity/protocol" }',
  'shared-protocol/src/clients/x.ts': 'export const x = 1\n',
  'tsconfig.json': '{}',
}

const hashes = (files: Record<string, string>) =>
  fingerprints(Object.entries(files).map(([path, text]) => ({ path, text })))

/** What is to be linted again after this change. */
const suspectsAfter = (change: Record<string, string>) =>
  notKnownClean(hashes({ ...tree, ...change }), hashes(tree)).toSorted()

describe('what is linted again', () => {
  it('is nothing when nothing changed', () => {
    expect(suspectsAfter({})).toEqual([])
  })

  it('is a file that changed or is new, and whatever loads it, types included', () => {
    expect(suspectsAfter({ 'server/src/alone.ts': 'x' })).toEqual(['server/src/alone.ts'])
    expect(suspectsAfter({ 'server/src/new.ts': 'x' })).toEqual(['server/src/new.ts'])
    expect(suspectsAfter({ 'server/test/c.ts': 'x' })).toEqual([
      'server/src/a.ts',
      'server/src/b.ts',
      'server/test/c.ts',
    ])
  })

  it('follows imports of a package of the workspace, and those whose ending the bundler finds', () => {
    expect(suspectsAfter({ 'shared-protocol/src/clients/x.ts': 'x' })).toContain('companion/src/screen.tsx')
    expect(suspectsAfter({ 'companion/src/camera.web.ts': 'x' })).toContain('companion/src/screen.tsx')
  })

  it.each(['tsconfig.json', '.oxlintrc.json', 'pnpm-lock.yaml', 'server/src/globals.d.ts'])(
    'is everything when %s changed',
    (path) => {
      const code = Object.keys(tree).filter((file) => /\.tsx?$/.test(file))
      expect(suspectsAfter({ [path]: 'changed' })).toEqual(expect.arrayContaining(code))
    },
  )

  it('is everything where nothing was linted before', () => {
    const root = mkdtempSync(join(tmpdir(), 'typed-lint-'))
    try {
      expect(readClean(root)).toEqual({})
      writeClean(root, hashes(tree))
      expect(notKnownClean(hashes(tree), readClean(root))).toEqual([])
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})
