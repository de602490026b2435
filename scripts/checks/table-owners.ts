import { applyExemptions, type Candidate, type Exemptions } from './exemptions.ts'
import { isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'
import { domainOf } from './wings.ts'

/** Tables that several folders write, by `folder>table`, each with the reason. */
const exemptions: Exemptions = {
  'sessions>org_heads': 'the kept count of sessions stands with the other heads, in one locked row',
  'kernel/audit>org_heads': 'the head of the chain, in the same row',
  'kernel/outbox>org_heads': 'the sequence of events, in the same row',
  'integrity-events>session_counters': 'one statement counts a batch and notes the contact',
  'live>session_counters': 'one statement notes the contact of all sockets of a process',
  'transcripts>sessions': 'the sequence of words stands in the row that the upload has locked',
}

/** Who writes a table that several do: the first of these. */
const owners: Readonly<Record<string, string>> = {
  org_heads: 'orgs',
  session_counters: 'sessions',
  sessions: 'sessions',
}

const writes =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z][a-z_]+)\b|insertMany(?:<[^>(]*(?:\{[^}]*\}[^>(]*)?>)?\(\s*'([a-z_]+)'/g

/** `sessions` of a file of that domain, `kernel/audit` of one below the domains. */
const folderOf = (path: string): string => domainOf(path) ?? path.split('/').slice(2, 4).join('/')

const writersOf = (files: readonly SourceFile[]): Map<string, Map<string, string>> => {
  const tables = new Map<string, Map<string, string>>()
  for (const { path, text } of files)
    for (const [, written, inserted] of text.matchAll(writes)) {
      const table = written ?? inserted ?? ''
      const writers = tables.get(table) ?? new Map<string, string>()
      writers.set(folderOf(path), path)
      tables.set(table, writers)
    }
  return tables
}

const shipped = ({ path }: SourceFile): boolean =>
  /^server\/src\/(?:domains|kernel|pipeline)\//.test(path) &&
  isCode(path) &&
  !isTest(path) &&
  !/test-support/.test(path)

export const oneWriter: StructureCheck = {
  name: 'a table is written by the one folder that owns it, SQL included',
  find(files) {
    const found: Candidate[] = [...writersOf(files.filter(shipped))].flatMap(([table, writers]) => {
      const owner = owners[table] ?? [...writers.keys()].sort()[0]
      return [...writers]
        .filter(([folder]) => folder !== owner)
        .map(([folder, path]) => ({
          key: `${folder}>${table}`,
          path,
          message: `writes ${table}, which ${owner} owns; ask its service`,
        }))
    })
    return applyExemptions(found, { path: 'scripts/checks/table-owners.ts', exemptions }, files)
  },
}

const reExport = /^export (?:type )?(?:\{[^}]*\}|\*) from '([^']+)'/gm

export const noReExports: StructureCheck = {
  name: 'a service passes nothing of another file on',
  find: (files) =>
    files
      .filter((file) => shipped(file) && file.path.startsWith('server/src/domains/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(reExport)].map(([, from]) => ({ path, message: `passes ${from} on; import it where it is` })),
      ),
}
