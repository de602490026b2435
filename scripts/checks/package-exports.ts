import { posix } from 'node:path'
import { readManifests } from './packages.ts'
import type { SourceFile, StructureCheck } from './source-tree.ts'

export const packageExportsResolve: StructureCheck = {
  name: 'every export of a package is a file',
  find(files: readonly SourceFile[]) {
    const paths = files.map(({ path }) => path)
    const isThere = (target: string): boolean => {
      const [before = '', after] = target.split('*')
      return after === undefined
        ? paths.includes(target)
        : paths.some((path) => path.startsWith(before) && path.endsWith(after))
    }
    return readManifests(files).flatMap(({ path, folder, exports }) =>
      Object.entries(exports)
        .filter(([, target]) => !isThere(posix.join(folder, target)))
        .map(([name, target]) => ({ path, message: `exports ${name} as ${target}, which is not there` })),
    )
  },
}
