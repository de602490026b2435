import { describe, expect, it } from 'vitest'
import { applyExemptions } from './exemptions.ts'
import { packageExportsResolve } from './package-exports.ts'
import type { StructureCheck } from './source-tree.ts'
import { dependenciesAreUsed } from './unused-dependencies.ts'
import { exportsAreUsed } from './unused-exports.ts'
import { settingsAreRead } from './unused-settings.ts'

const messages = (check: StructureCheck, files: Record<string, string>) =>
  check
    .find(Object.entries(files).map(([path, text]) => ({ path, text })))
    .map(({ path, message }) => `${path}: ${message}`)

describe('an exemption', () => {
  it('lets pass what it names, and is found when there is nothing to let pass', () => {
    const found = [{ path: 'a.ts', key: 'a.ts#x', message: 'wrong' }]
    const apply = (key: string, path = 'list.ts') =>
      applyExemptions(found, { path: 'list.ts', exemptions: { [key]: 'why' } }, [{ path, text: '' }])
    expect(apply('a.ts#x')).toEqual([])
    expect(apply('a.ts#y')).toEqual([
      { path: 'a.ts', message: 'wrong' },
      { path: 'list.ts', message: 'the exemption of a.ts#y is stale: take it out' },
    ])
    expect(apply('a.ts#x', 'of-another-tree.ts')).toEqual([{ path: 'a.ts', message: 'wrong' }])
  })
})

describe('packageExportsResolve', () => {
  it('finds an export without a file, and a pattern that no file has', () => {
    const exports = {
      '.': './src/index.ts',
      './gone': './src/gone.ts',
      './ui/*': './src/ui/*.tsx',
      './no/*': './no/*.ts',
    }
    expect(
      messages(packageExportsResolve, {
        'a/package.json': JSON.stringify({ name: 'a', exports }),
        'a/src/index.ts': '',
        'a/src/ui/x.tsx': '',
      }),
    ).toEqual([
      'a/package.json: exports ./gone as ./src/gone.ts, which is not there',
      'a/package.json: exports ./no/* as ./no/*.ts, which is not there',
    ])
  })
})

describe('exportsAreUsed', () => {
  it('finds what nothing imports, and what nothing but tests needs', () => {
    expect(
      messages(exportsAreUsed, {
        'a/src/a.ts': 'export const one = 1\nexport const two = 2\nexport const three = () => 3\n',
        'a/src/b.ts': "import { one } from './a.ts'\none\n",
        'a/src/a.test.ts': "import { three } from './a.ts'\nthree()\n",
      }),
    ).toEqual(['a/src/a.ts: nothing imports two', 'a/src/a.ts: only tests need three'])
  })

  it('takes what its own file needs for used when tests import it, and types for what goes along', () => {
    expect(
      messages(exportsAreUsed, {
        'a/src/a.ts': 'export const limit = 1\nexport interface Options {}\nconst over = (n: number) => n > limit\n',
        'a/src/a.test.ts': "import { limit } from './a.ts'\n",
      }),
    ).toEqual([])
  })

  it.each([
    ['a whole module', "import * as all from './a.ts'\n"],
    ['a module when it is needed', "const all = await import('./a.ts')\n"],
    ['a worker', "new Worker(new URL('./a.ts', import.meta.url))\n"],
    ['a list over several lines', "import {\n  type B,\n  one as first,\n} from './a.ts'\n"],
    ['an export that is passed on', "import { one } from './pass.ts'\n"],
    ['all that is passed on', "import { one } from './all.ts'\n"],
    ['another package of the workspace', "import { one } from 'a/entry/a'\n"],
    ['a file that an engine has in its own form', "import { one } from './a'\n"],
  ])('sees an import of %s', (_name, text) => {
    expect(
      messages(exportsAreUsed, {
        'a/package.json': JSON.stringify({ name: 'a', exports: { './entry/*': './src/*.ts' } }),
        'a/src/a.ts': 'export const one = 1\n',
        'a/src/pass.ts': "export { one } from './a.ts'\n",
        'a/src/all.ts': "export * from './a.ts'\n",
        'a/src/b.ts': text,
      }),
    ).toEqual([])
  })
})

describe('settingsAreRead', () => {
  it('finds a setting that nothing but its own file reads', () => {
    const config =
      'export interface Limits {\n  readonly perKey: number\n}\n\nexport interface Config {\n  readonly host: string\n  readonly port: number\n  readonly gone?: string\n}\n'
    expect(
      messages(settingsAreRead, {
        'server/src/kernel/config.ts': config,
        'server/src/app/config.ts': 'const config = { gone: env.GONE }\nconfig.gone\n',
        'server/src/app/server.ts': 'const { host, port } = config\nlimits.perKey\n',
      }),
    ).toEqual(['server/src/kernel/config.ts: nothing reads Config.gone'])
  })
})

describe('dependenciesAreUsed', () => {
  it('finds what is not imported, and a dependency that only tests import', () => {
    const manifest = {
      name: 'a',
      dependencies: { used: '1', tested: '1', '@scope/run': '1' },
      devDependencies: { gone: '1', vitest: '1', '@types/used': '1', '@types/gone': '1' },
    }
    expect(
      messages(dependenciesAreUsed, {
        'a/package.json': JSON.stringify(manifest),
        'a/src/a.ts': "import used from 'used/entry.js'\nrun('node_modules/@scope/run/bin.js')\n",
        'a/src/a.test.ts': "import { it } from 'vitest'\nimport tested from 'tested'\n",
        'b/src/b.ts': "import gone from 'gone'\n",
      }),
    ).toEqual([
      'a/package.json: nothing of it imports tested',
      'a/package.json: nothing of it imports gone',
      'a/package.json: nothing of it imports @types/gone',
    ])
  })
})
