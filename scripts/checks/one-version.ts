import type { SourceFile, StructureCheck } from './source-tree.ts'

const chart = 'server/packaging/helm/interview-integrity/Chart.yaml'
/** Of a package, or of the phone's application. */
const versionIn = ({ text }: SourceFile): string | undefined => {
  const { version, expo } = JSON.parse(text) as {
    readonly version?: string
    readonly expo?: { readonly version: string }
  }
  return version ?? expo?.version
}

/** Everything that is released together says the version of the root: names of packages, bills of materials and provenance are made of it. */
export const oneVersion: StructureCheck = {
  name: 'every package has the version of the whole',
  find(files) {
    const root = files.find(({ path }) => path === 'package.json')
    const version = root && versionIn(root)
    if (version === undefined) return []
    // A package without a version is none of this workspace's: a foreign program that a test sets up.
    const packages = files.filter(
      (file) => /\/(?:package|app)\.json$/.test(file.path) && (versionIn(file) ?? version) !== version,
    )
    const stated = files.find(({ path }) => path === chart)?.text.match(/^(?:version|appVersion): .*$/gm) ?? []
    return [
      ...packages.map((file) => ({
        path: file.path,
        message: `has the version ${versionIn(file)}, and the whole ${version}`,
      })),
      ...stated
        .filter((line) => line.split(': ')[1] !== version)
        .map((line) => ({ path: chart, message: `says "${line}", and the version of the whole is ${version}` })),
    ]
  },
}
