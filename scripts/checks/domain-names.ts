import type { SourceFile, StructureCheck } from './source-tree.ts'
import { domainOf } from './wings.ts'

/**
 * Domains without endpoints of their own: the links that other domains give out, the appointments they tell of, people, and
 * the rules of retention, which many obey, and what candidates wrote, which reports and reviews read below the requests.
 */
const serverOnly: ReadonlySet<string> = new Set(['appointments', 'links', 'people', 'retention-rules', 'statements'])

/** Each domain of a package, with its folder. */
const domainsUnder = (files: readonly SourceFile[], folder: string) =>
  new Map(
    files.flatMap(({ path }) => {
      const name = path.startsWith(`${folder}/`) ? domainOf(path) : undefined
      return name === undefined ? [] : [[name, path.slice(0, path.indexOf(`/${name}/`) + name.length + 1)] as const]
    }),
  )

export const domainNames: StructureCheck = {
  name: 'a domain has the same name, in the same wing, in shared-protocol and in the server',
  find(files) {
    const declared = domainsUnder(files, 'shared-protocol/src/domains')
    const served = domainsUnder(files, 'server/src/domains')
    const inServer = (path: string) => path.replace('shared-protocol/', 'server/')
    return [
      ...[...declared]
        .filter(([name, path]) => served.get(name) !== inServer(path))
        .map(([, path]) => ({ path, message: `no such folder: ${inServer(path)}` })),
      ...[...served]
        .filter(([name]) => !declared.has(name) && !serverOnly.has(name))
        .map(([, path]) => ({ path, message: 'no such domain in shared-protocol/src/domains' })),
    ]
  },
}
