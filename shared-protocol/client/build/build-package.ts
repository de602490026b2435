import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { bundleLibraries } from './bundle-libraries.ts'
import { flattenTypes } from './flatten.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..')
const entry = join(folder, 'src/index.ts')
const types = join(folder, 'src/endpoint-types.ts')
/** Needs the contract's sources; `types` is written out without it. */
const derivation = join(folder, 'src/contract-types.ts')

const readOptions = (out: string): ts.CompilerOptions => {
  const found = ts.getParsedCommandLineOfConfigFile(
    join(folder, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (problem) => {
        throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'))
      },
    },
  )
  if (!found) throw new Error('the package has no tsconfig.json')
  const { composite: _, tsBuildInfoFile: __, ...options } = found.options
  return {
    ...options,
    target: ts.ScriptTarget.ES2022,
    rootDir: join(folder, 'src'),
    outDir: out,
    emitDeclarationOnly: false,
    incremental: false,
    sourceMap: false,
    removeComments: false,
  }
}

const report = (problems: readonly ts.Diagnostic[]): void => {
  if (problems.length === 0) return
  throw new Error(
    ts.formatDiagnostics(problems, {
      getCurrentDirectory: () => folder,
      getCanonicalFileName: (name) => name,
      getNewLine: () => '\n',
    }),
  )
}

// The compiler renames imports in modules only; Deno takes those in declarations at their word.
const namingModules = (declarations: string): string =>
  declarations.replace(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2')

/** What the registry gets: no dependency, and nothing but modules and declarations. */
const publishedManifest = (): string => {
  const { name, version, license, description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * Makes the publishable package: plain ESM for Node 20, browsers and Deno, with declarations that stand on their own.
 * `out` is emptied first. Throws with the compiler's words when the sources do not compile.
 */
export const buildPackage = async (out: string): Promise<void> => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const program = ts.createProgram([entry], readOptions(out))
  const own = program
    .getSourceFiles()
    .map((file) => ({ file, path: resolve(file.fileName) }))
    .filter(({ path }) => dirname(path).startsWith(join(folder, 'src')) && path !== derivation)
    .map(({ file }) => file)
  for (const file of own) {
    report([...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    const { diagnostics } = program.emit(file, (name, text) => {
      mkdirSync(dirname(name), { recursive: true })
      writeFileSync(name, name.endsWith('.d.ts') ? namingModules(text) : text)
    })
    report(diagnostics)
  }
  // Its only content is types, so that nothing imports the module itself.
  rmSync(join(out, 'endpoint-types.js'), { force: true })
  await bundleLibraries(out)
  writeFileSync(join(out, 'endpoint-types.d.ts'), flattenTypes(program, types))
  writeFileSync(join(out, 'package.json'), publishedManifest())
  for (const [from, to] of [
    ['README.md', 'README.md'],
    ['../../LICENSE', 'LICENSE'],
  ] as const)
    cpSync(join(folder, from), join(out, to))
}

if (process.argv[1] && fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const out = resolve(process.argv[2] ?? join(folder, 'dist'))
  await buildPackage(out)
  console.log(`the package is in ${out}`)
}
