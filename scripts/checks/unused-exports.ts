import { applyExemptions, type Exemptions } from './exemptions.ts'
import { type Module, readModules } from './modules.ts'
import { readManifests, workspaceFile } from './packages.ts'
import { isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

/** What others outside this tree may import: all that it passes on is used. */
const published = ['shared-protocol/client/src/index.ts']

const exemptions: Exemptions = {
  'agent/src/machine/page/frames.ts#encodeFrame':
    "a WebSocket in place of Electron's message port, for tests and the bench",
  'agent/src/machine/page/frames.ts#decodeFrame':
    "a WebSocket in place of Electron's message port, for tests and the bench",
  'scripts/test-run/bootstrap-tree.ts#bootstrapTree': 'a tree that tests of the start run in',
  'scripts/test-run/run-reporter.ts#RunReporter': 'vitest loads it by its path',
  'server/src/app/admin-program.ts#commandNames': 'tests hold each command to what all of them promise',
  'server/src/platform/db/migrate.ts#migrateDown':
    'the way back, for an operator in need; tests hold every migration to it',
  'server/src/platform/db/migrate.ts#dumpSchema': 'writes the committed schema files',
  'server/src/domains/recording/evidence/evidence.beside.service.ts#readBeside':
    'what is kept beside an item; tests hold it to the erasure of the item',
  'shared-protocol/src/texts/catalogue.ts#textsIn': "tests of three clients look a screen's words up by it",
  'shared-protocol/client/build/type-check.ts#typeCheck': 'tests of the package, which alone has that compiler',
}

/** Code that only tests run. */
const isTestCode = (path: string): boolean =>
  isTest(path) || /(?:^|\/)test-support\/|\/src\/testing\/|\.(?:test-support|conformance|child)\.tsx?$/.test(path)

/** The files that an import may mean: the phone has some of them twice, for an engine and for a browser. */
const variants = ['', '.ts', '.tsx', '.web.ts', '.web.tsx']

/** `path#name` of all that these importers take, through the modules that pass it on. */
const usesOf = (
  modules: ReadonlyMap<string, Module>,
  importers: readonly Module[],
  toFile: (imported: string) => string,
): ReadonlySet<string> => {
  const used = new Set<string>()
  const mark = (imported: string, name: string): void => {
    const file = toFile(imported)
    for (const path of variants.map((ending) => file + ending).filter((candidate) => modules.has(candidate))) {
      const key = `${path}#${name}`
      if (used.has(key)) continue
      used.add(key)
      for (const { from, name: inner, as } of modules.get(path)?.taken ?? []) {
        if (as === '*') mark(from, name)
        else if (as !== undefined && (as === name || name === '*')) mark(from, inner)
      }
    }
  }
  for (const { path, taken } of importers) {
    if (published.includes(path)) mark(path, '*')
    for (const { from, name, as } of taken) if (as === undefined) mark(from, name)
  }
  return used
}

const isType = (text: string, name: string): boolean =>
  new RegExp(`^export\\s+(?:declare\\s+)?(?:interface|type)\\s+${name}\\b`, 'm').test(text)
const mentions = (text: string, name: string): number =>
  text.split(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length - 1

/**
 * Of values: the shape that an exported function takes is exported along with it. What a file needs itself may be exported
 * for its tests; what nothing but tests needs is dead.
 */
export const exportsAreUsed: StructureCheck = {
  name: 'what a file exports is imported somewhere, and what only tests import serves its own file',
  find(files: readonly SourceFile[]) {
    const manifests = readManifests(files)
    const modules = new Map(
      readModules(files.filter(({ path }) => isCode(path))).map((module) => [module.path, module]),
    )
    const texts = new Map(files.map(({ path, text }) => [path, text]))
    const toFile = (imported: string) => workspaceFile(manifests, imported) ?? imported
    const all = [...modules.values()]
    const used = usesOf(
      modules,
      all.filter(({ path }) => !isTestCode(path)),
      toFile,
    )
    const tested = usesOf(
      modules,
      all.filter(({ path }) => isTestCode(path)),
      toFile,
    )
    const takes = (uses: ReadonlySet<string>, path: string, name: string) =>
      uses.has(`${path}#${name}`) || uses.has(`${path}#*`)
    const found = all
      .filter(({ path }) => !isTestCode(path))
      .flatMap(({ path, exported }) =>
        exported.flatMap((name) => {
          const text = texts.get(path) ?? ''
          if (takes(used, path, name) || isType(text, name)) return []
          const forTests = takes(tested, path, name)
          if (forTests && mentions(text, name) > 1) return []
          const message = forTests ? `only tests need ${name}` : `nothing imports ${name}`
          return [{ path, key: `${path}#${name}`, message }]
        }),
      )
    return applyExemptions(found, { path: 'scripts/checks/unused-exports.ts', exemptions }, files)
  },
}
