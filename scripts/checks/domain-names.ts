import type { SourceFile, StructureCheck } from './source-tree.ts'

/**
 * Domains without endpoints of their own: the links that other domains give out, the appointments they tell of, people, and
 * the rules of retention, which many obey, and what candidates wrote, which reports and reviews read below the requests.
 */
const serverOnly: ReadonlySet<string> = new Set(['appointments', 'links', 'people', 'retention-rules', 'statements'])

const domainsUnder = (files: readonly SourceFile[], folder: string) =>
  new Set(
    files
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path }) => path.slice(folder.length + 1).split('/'))
      .filter((parts) => parts.length > 1)
      .map(([name = '']) => name),
  )

export const domainNames: StructureCheck = {
  name: 'a domain has the same name in shared-protocol and in the server',
  find(files) {
    const declared = domainsUnder(files, 'shared-protocol/src/domains')
    const served = domainsUnder(files, 'server/src/domains')
    return [
      ...[...declared]
        .filter((name) => !served.has(name))
        .map((name) => ({
          path: `shared-protocol/src/domains/${name}`,
          message: 'no such domain in server/src/domains',
        })),
      ...[...served]
        .filter((name) => !declared.has(name) && !serverOnly.has(name))
        .map((name) => ({
          path: `server/src/domains/${name}`,
          message: 'no such domain in shared-protocol/src/domains',
        })),
    ]
  },
}
