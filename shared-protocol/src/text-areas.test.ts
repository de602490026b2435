import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { areaFiles } from './text-areas.ts'
import type { Catalogue } from './texts/catalogue.ts'
import { languages } from './texts/languages.ts'

const source = join(import.meta.dirname, 'texts')
const areas = readdirSync(join(source, 'en')).map((name) => name.replace(/\.ts$/, ''))

let copy: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'texts-'))
  cpSync(source, join(copy, 'texts'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  mkdirSync(join(copy, 'domains/interviews/lanes'), { recursive: true })
  writeFileSync(join(copy, 'domains/interviews/lanes/lanes.registry.ts'), 'export type LaneName = string\n')
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

/** What CONTRIBUTING says: a folder, a line, and the command. */
const addLanguage = () => {
  const texts = join(copy, 'texts')
  cpSync(join(texts, 'hi'), join(texts, 'qaa'), { recursive: true })
  const list = join(texts, 'languages.ts')
  const line = "  { code: 'qaa', name: 'Toy', direction: 'rtl', script: 'Devanagari', dates: 'hi-IN' },\n"
  writeFileSync(list, readFileSync(list, 'utf8').replace('\n] as const', `\n${line}] as const`))
  for (const [path, text] of Object.entries(areaFiles(areas, [...languages.map(({ code }) => code), 'qaa'])))
    writeFileSync(join(texts, path), text)
}

/** What the compiler says of the copy. */
const compile = (): string => {
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--types', '', '--target', 'es2024', '--module', 'nodenext']
  const files = areas.map((area) => join(copy, 'texts/areas', `${area}.ts`))
  try {
    return execFileSync(process.execPath, [tsc, ...strict, '--allowImportingTsExtensions', ...files], {
      cwd: copy,
      encoding: 'utf8',
    })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}

describe('a further language', () => {
  it('is a folder and a line, and then every client has it', async () => {
    addLanguage()
    const at = (path: string) => pathToFileURL(join(copy, 'texts', path)).href
    const { catalogueOf } = await import(at('catalogue.ts'))
    for (const area of areas.filter((name) => /^(?:room|phone|link|window|shell)/.test(name))) {
      const [texts] = Object.values(await import(at(`areas/${area}.ts`)))
      const catalogue: Catalogue<string> = catalogueOf(texts)
      expect(catalogue.map(({ code }) => code)).toEqual([...languages.map(({ code }) => code), 'qaa'])
      expect(catalogue.at(-1)).toMatchObject({ name: 'Toy', direction: 'rtl' })
    }
  })

  it('does not compile while a text is missing, or a language has no folder', () => {
    addLanguage()
    expect(compile()).toBe('')
    const product = join(copy, 'texts/qaa/product.ts')
    writeFileSync(product, readFileSync(product, 'utf8').replace(/^ {2}productName: .*\n/m, ''))
    expect(compile()).toMatch(/qaa\/product\.ts.*'productName' is missing/)
    rmSync(join(copy, 'texts/qaa'), { recursive: true })
    expect(compile()).toMatch(/Cannot find module '\.\.\/qaa\/room\.ts'/)
  })
})
