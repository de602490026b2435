import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allClients } from './all-clients.ts'
import { isCurrent, stampOf, type WebClient } from './build-client.ts'
import { readShipped, ship, takeShipped } from './shipped.ts'

const tree = resolve(import.meta.dirname, '../..')
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shipped-'))
  write('web/src/main.ts', 'eins für zwei')
  mkdirSync(join(root, 'scripts/clients'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string, content: string | Buffer) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

/** Its result holds a copy of its one source. */
const client: WebClient = {
  folder: 'web',
  inputs: ['web/src'],
  build: async (from, into) => {
    mkdirSync(join(into, 'assets'), { recursive: true })
    writeFileSync(join(into, 'assets/main.js'), readFileSync(join(from, 'web/src/main.ts')))
  },
}
const withoutTools: WebClient = {
  ...client,
  build: async () => {
    throw new Error('the tools are not here')
  },
}

const sourcesUnder = (input: string): string[] => {
  if (/\.tsx?$/.test(input)) return [input]
  if (!statSync(join(tree, input)).isDirectory()) return []
  return readdirSync(join(tree, input), { recursive: true, encoding: 'utf8' })
    .map((path) => `${input}/${path}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/test-support\/|node_modules/.test(path))
}

const { exports: protocolExports } = JSON.parse(readFileSync(join(tree, 'shared-protocol/package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string>>
}

/** The file of the protocol behind a name that it gives out. */
const protocolFile = (name: string): string => {
  const own = protocolExports[`./${name}`]?.replace(/^\.\//, '')
  return `/shared-protocol/${own ?? `src/${name}.ts`}`
}

/** The files of this tree, from its root, whose values a source takes: types alone are not in what is built. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(tree, file), 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gms)]
    .filter(([statement]) => !/^\w+ \{(?:\s*type [\w ]+,?)+\s*\}/.test(statement))
    .map(([, from = '']) => from.replace(/^@integrity\/protocol\/(.+)$/, (_all, name: string) => protocolFile(name)))
    .map((from) => from.replace(/^@integrity\/shared-ui\/(.+)$/, '/shared-ui/src/$1'))
    .filter((from) => /^[./]/.test(from))
    .map((from) => (from.startsWith('/') ? from.slice(1) : join(dirname(file), from)))

describe('what is shipped built', () => {
  it('is put in place where the sources are the same, without the tools', async () => {
    await ship(root, [client])
    rmSync(join(root, 'web/dist'), { recursive: true })
    expect(await takeShipped(root, withoutTools)).toBe(true)
    expect(isCurrent(root, client)).toBe(true)
    expect(readFileSync(join(root, 'web/dist/assets/main.js'), 'utf8')).toBe('eins für zwei')
  })

  it('is left alone where a source has changed, where it is damaged and where there is none', async () => {
    await ship(root, [client])
    write('web/src/main.ts', 'zwei')
    expect(await takeShipped(root, client)).toBe(false)
    expect(isCurrent(root, client)).toBe(false)
    write('web/src/main.ts', 'eins für zwei')
    const file = join(root, 'scripts/clients/shipped.json.br')
    writeFileSync(file, readFileSync(file).subarray(0, 20))
    expect(await takeShipped(root, client)).toBe(false)
    rmSync(file)
    expect(await takeShipped(root, client)).toBe(false)
  })

  it('holds no file that it would break', async () => {
    write('web/src/main.ts', Buffer.from([0xff, 0xd8, 0x00]))
    await expect(ship(root, [client])).rejects.toThrow('main.js is no text')
  })
})

describe('what this tree ships', () => {
  it.each(allClients.map((one) => [one.folder, one] as const))(
    '%s is of these sources: npm run ship',
    (folder, one) => {
      expect(readShipped(tree)[folder]?.stamp).toBe(stampOf(tree, one))
    },
  )

  // Otherwise a change would not be seen, and the page of before be given out as that of today.
  it.each(allClients.map((one) => [one.folder, one] as const))(
    '%s names among its sources all that they import',
    (_folder, one) => {
      const named = (file: string) => one.inputs.some((input) => file === input || file.startsWith(`${input}/`))
      const sources = one.inputs.filter((input) => !input.startsWith('scripts/')).flatMap(sourcesUnder)
      expect(sources.length).toBeGreaterThan(20)
      expect(new Set(sources.flatMap(importsOf).filter((file) => !named(file)))).toEqual(new Set())
    },
  )
})
