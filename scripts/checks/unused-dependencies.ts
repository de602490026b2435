import { applyExemptions, type Exemptions } from './exemptions.ts'
import { type Manifest, packageOf, readManifests } from './packages.ts'
import { importsOf, isCode, isPackage, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

const exemptions: Exemptions = {
  '@integrity/companion @expo/metro-runtime': 'loaded by the export for browsers',
  '@integrity/companion react-dom': 'what react-native-web draws with',
  '@integrity/companion react-native-web': 'stands for react-native in the export for browsers',
  '@integrity/room-web axe-core': 'resolved by the tests of its pages, which run beside the server',
  'generators-for-tests openapi-fetch': 'loaded by the tests of the OpenAPI document, from that folder',
  'generators-for-tests openapi-typescript': 'run by the tests of the OpenAPI document, by its path',
  'generators-for-tests @hey-api/openapi-ts': 'run by the tests of the OpenAPI document, by its path',
  'generators-for-tests orval': 'run by the tests of the OpenAPI document, by its path',
  'azurite-for-tests azurite': 'run by the tests of storage, by its path',
  'azurite-for-tests @aws-sdk/client-s3': 'loaded by the tests of storage, from that folder',
  'azurite-for-tests @azure/storage-blob': 'loaded by the tests of storage, from that folder',
  'interview-integrity @redocly/cli': 'run by the tests of the OpenAPI document, by its path',
  'interview-integrity oxlint-tsgolint': 'run by oxlint',
}

/** Names that a file gives to `require.resolve`, `import.meta.resolve` and the like, or loads by their path. */
const named = /['"`](?:node_modules\/)?((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"`\n]*)?['"`]/g

const isUsed = (name: string, imports: ReadonlySet<string>): boolean => {
  const typed = /^@types\/(.*)$/.exec(name)?.[1]
  if (typed !== undefined) return typed === 'node' || isUsed(typed, imports)
  return [...imports].some((imported) => isPackage(imported, name))
}

export const dependenciesAreUsed: StructureCheck = {
  name: 'every dependency is imported by its package, and not by its tests alone',
  find(files: readonly SourceFile[]) {
    const manifests = readManifests(files)
    const takenBy = ({ folder }: Manifest, withTests: boolean): ReadonlySet<string> =>
      new Set(
        files
          .filter(({ path }) => isCode(path) && (withTests || !isTest(path)))
          .filter(({ path }) => folder === '' || packageOf(manifests, path)?.folder === folder)
          .flatMap((file) => [...importsOf(file), ...[...file.text.matchAll(named)].map(([, name = '']) => name)]),
      )
    const found = manifests.flatMap((manifest) => {
      const { path, name, dependencies, devDependencies } = manifest
      const [code, all] = [takenBy(manifest, false), takenBy(manifest, true)]
      return [
        ...dependencies.filter((dependency) => !isUsed(dependency, code)),
        ...devDependencies.filter((dependency) => !isUsed(dependency, all)),
      ].map((dependency) => ({ path, key: `${name} ${dependency}`, message: `nothing of it imports ${dependency}` }))
    })
    return applyExemptions(found, { path: 'scripts/checks/unused-dependencies.ts', exemptions }, files)
  },
}
