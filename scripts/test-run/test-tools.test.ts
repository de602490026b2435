import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { testTools, toolsFor } from './test-tools.ts'

const root = resolve(import.meta.dirname, '../..')
const folders = (paths: readonly string[], isAll = false) => toolsFor(paths, isAll).map(({ folder }) => folder)

it('are what the paths of a run need; the generators at night, or by their path', () => {
  expect(folders(['server/src/platform/storage/remote/azure.azurite.test.ts'])).toEqual(['server/test/azurite'])
  expect(folders(['shared-protocol/test/client/openapi-client.nightly.test.ts'])).toEqual([
    'shared-protocol/test/generators',
  ])
  expect(folders(['agent'])).toEqual([])
  expect(folders([])).toEqual(['server/test/azurite'])
  expect(folders([], true)).toHaveLength(2)
})

it.each(testTools.map(({ folder }) => [folder]))('%s has a lockfile of its own', (folder) => {
  expect(existsSync(join(root, folder, 'package-lock.json'))).toBe(true)
})
