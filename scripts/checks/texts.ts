import { posix } from 'node:path'
import { languages } from '../../shared-protocol/src/texts/languages.ts'
import { isCode, isTest, type StructureCheck } from './source-tree.ts'

/** Whatever stands in for something else in tests. */
const isDouble = (path: string) => /\/test-support\//.test(path)
const texts = 'shared-protocol/src/texts/'
const [, ...others] = languages.map(({ code }) => code)

/** The code as a text of its own, or as a key. English may be named: it is what everything falls back to. */
const named = (code: string) => new RegExp(`(['"])${code}\\1|(?<![\\w.'-])${code}:`)

export const oneLanguageList: StructureCheck = {
  name: `languages are listed in ${texts}languages.ts alone`,
  find: (files) =>
    files
      .filter(({ path }) => isCode(path) && !isTest(path) && !isDouble(path) && !path.startsWith(texts))
      .flatMap(({ path, text }) =>
        others
          .filter((code) => named(code).test(text))
          .map((code) => ({ path, message: `names the language ${code}; take it from languages.ts` })),
      ),
}

const valueImport = /^\s*(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*['"]([^'"]+)['"]/gm

export const textsAlone: StructureCheck = {
  name: `${texts.slice(0, -1)} is words and nothing else: its values come from its own folder`,
  find: (files) =>
    files
      .filter(({ path }) => isCode(path) && !isTest(path) && path.startsWith(texts))
      .flatMap(({ path, text }) =>
        [...text.matchAll(valueImport)]
          .map(([, from = '']) => (from.startsWith('.') ? posix.join(posix.dirname(path), from) : from))
          .filter((imported) => !imported.startsWith(texts))
          .map((imported) => ({ path, message: `imports ${imported}` })),
      ),
}
