import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Tables that are named in the first column of the list. */
const listed = (): string[] => {
  const text = read('../../../docs/scaling.md')
  const section = /## What grows, and what ends it\n([\s\S]*?)\n## /.exec(text)?.[1] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| `'))
  return lines.flatMap((line) => {
    const [, tables = '', grows = '', ends = ''] =
      line.split(' | ').length === 3 ? ['', ...line.slice(2, -2).split(' | ')] : []
    expect(grows.length, line).toBeGreaterThan(5)
    expect(ends.length, line).toBeGreaterThan(5)
    return [...tables.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!)
  })
}

it('every table stands once in the list of what grows and what ends it, and nothing else does', () => {
  const schema = [...read('./schema.sqlite.txt').matchAll(/^CREATE TABLE "?([a-z_]+)"?/gm)].map(([, name]) => name!)
  expect(schema.length).toBeGreaterThan(100)
  expect(listed().toSorted()).toEqual(schema.toSorted())
})
