import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { heldBy, promised } from '../server/src/domains/administration/compliance/statement.held.model.ts'
import { statementTexts } from '../shared-protocol/src/texts/areas/statement.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Line {
  readonly sentence: string
  readonly file: string
  readonly title: string
}

const lines: readonly Line[] = [...read('docs/promises.md').matchAll(/^\| (.+?) \| (?:`(.+?)`|–) \| (.+) \|$/gm)].map(
  ([, sentence = '', file = '', title = '']) => ({ sentence, file, title }),
)

/** Of the promises, without their headings. */
const sentences = (read('SECURITY.md').split('## What is promised')[1]?.split('\n## ')[0] ?? '')
  .replaceAll(/\*\*.+?\*\*/g, '')
  .replaceAll(/\s+/g, ' ')
  .split(/(?<=[.:;)]) (?=[A-Z0-9`-])|(?<=\.) /)
  .map((text) => text.replace(/^- /, '').trim())
  .filter((text) => /\w.*[.;:]$/.test(text) && !text.startsWith('Which test holds'))

describe('what SECURITY.md promises', () => {
  it.each(sentences.map((text) => [text]))('is held by a test: %s', (text) => {
    expect(lines.filter(({ sentence }) => text.startsWith(sentence))).not.toEqual([])
  })

  it('is what each line of the list is about', () => {
    expect(sentences.length).toBeGreaterThan(40)
    expect(lines.filter(({ sentence }) => !sentences.some((text) => text.startsWith(sentence)))).toEqual([])
  })

  it.each(lines.filter(({ file }) => file !== '').map((line) => [line.title, line] as const))(
    'by "%s"',
    (title, { file }) => {
      expect(read(file).replaceAll(/\\'/g, "'")).toContain(title)
    },
  )
})

describe('what the statement for works councils says', () => {
  it.each(Object.values({ ...heldBy, ...promised }).map(({ test, file }) => [test, file]))(
    'is held by "%s"',
    (title, file) => {
      expect(read(file).replaceAll(/\\'/g, "'")).toContain(title)
    },
  )

  it.each(Object.values(promised).map(({ name, file, test }) => [statementTexts.en[name], file, test]))(
    'is a promise, with the test of that promise: %s',
    (name, file, test) => {
      expect(lines).toContainEqual({ sentence: name, file, title: test })
    },
  )
})
