import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { endpoints } from '../shared-protocol/src/registry.ts'

it('the README says how many endpoints there are beyond those of the interface', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../README.md'), 'utf8')
  const [, ofInterface, beyond] = /all (\d+) endpoints of the interface[^;]*; and (\d+) more/s.exec(text) ?? []
  expect(Number(ofInterface) + Number(beyond)).toBe(endpoints.length)
})
