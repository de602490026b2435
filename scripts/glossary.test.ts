import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| word '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', meaning = '', , code = '']) => ({ word, meaning, path: code.replaceAll('`', '') }))

describe('the glossary', () => {
  it('has each word once, in alphabetical order', () => {
    const words = rows.map(({ word }) => word)
    expect(words.length).toBeGreaterThanOrEqual(40)
    expect(words).toEqual([...new Set(words)].sort((a, b) => a.localeCompare(b, 'en')))
  })

  it.each(rows.map((row) => [row.word, row] as const))('says what "%s" is, and where', (_word, { meaning, path }) => {
    expect(meaning).not.toBe('')
    expect(existsSync(join(root, path)), path).toBe(true)
  })
})
