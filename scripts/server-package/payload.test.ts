import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { kept } from './payload.ts'

const root = resolve(import.meta.dirname, '../..')
const isBuilt = (path: string): boolean => /\/dist$/.test(path)

it('the package takes files that are there, and the page that checks bundles among them', () => {
  expect(kept.filter((path) => !isBuilt(path) && !existsSync(join(root, path)))).toEqual([])
  expect(kept).toContain('docs/verify/play-bundle.html')
  expect(kept).toContain('docs/verify/verify-bundle.html')
})
