import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allClients } from './all-clients.ts'
import { builtFiles, readShipped } from './shipped.ts'

const tree = resolve(import.meta.dirname, '../..')
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shipped-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('what this tree ships', () => {
  // Who reads the sources must be able to trust what was built of them.
  it.each(allClients.map((one) => [one.folder, one] as const))('%s is what these sources give', async (folder, one) => {
    const into = join(root, 'built')
    await one.build(tree, into)
    expect(Object.keys(builtFiles(into))).toEqual(Object.keys(readShipped(tree)[folder]?.files ?? {}))
    expect(builtFiles(into)).toEqual(readShipped(tree)[folder]?.files)
  })
})
