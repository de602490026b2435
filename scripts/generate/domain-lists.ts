import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Files of one kind under a folder, which one generated file brings together. */
interface DomainList {
  readonly under: string
  readonly ending: string
  /** What the exports are called behind the file's subject, where that is not the ending. */
  readonly exports?: string
  readonly into: string
  readonly doc: string
  /** Imported for its type. */
  readonly type?: string
  /** The text of the exports, from the names that the files export. */
  readonly list: (names: readonly string[], files: readonly string[]) => string
}

const spread = (names: readonly string[]): string => names.map((name) => `  ...${name},\n`).join('')

const each = (names: readonly string[]): string => names.map((name) => `  ${name},\n`).join('')

/** `shared-protocol/src/domains/access/auth/…` stands in the wing `access`. */
const wingOf = (file = ''): string => file.split('/')[3] ?? ''

const byWing = (names: readonly string[], files: readonly string[]): string => {
  const wings = [...new Set(files.map(wingOf))]
  const inWing = (wing: string) => names.filter((_, at) => wingOf(files[at]) === wing)
  const text = wings.map(
    (wing) =>
      `  ${wing}: [${inWing(wing)
        .map((name) => `...${name}`)
        .join(', ')}],\n`,
  )
  return `export const endpointsOfWings = {\n${text.join('')}} as const\n`
}

const lists: readonly DomainList[] = [
  {
    under: 'shared-protocol/src/domains',
    ending: '.endpoints.ts',
    into: 'shared-protocol/src/generated/endpoints.ts',
    doc: 'The endpoints of every domain.',
    list: (names, files) =>
      `export const endpointsOfDomains = [\n${spread(names)}] as const\n\n/** The same, by the wing of their domain. */\n${byWing(names, files)}`,
  },
  {
    under: 'server/src/domains',
    ending: '.routes.ts',
    into: 'server/src/app/generated/handlers.ts',
    doc: 'One handler for each endpoint of the contract; a missing one does not compile.',
    type: "import type { HandlerMap } from '../../kernel/handler.ts'\n",
    list: (names) => `export const handlers: HandlerMap = {\n${spread(names)}}\n`,
  },
  {
    under: 'server/src/domains',
    ending: '.jobs.ts',
    into: 'server/src/app/generated/jobs.ts',
    doc: 'The jobs of every domain.',
    list: (names) => `export const jobsOfDomains = [\n${spread(names)}] as const\n`,
  },
  {
    under: 'server/src/domains',
    ending: '.erase.service.ts',
    exports: 'Eraser',
    into: 'server/src/app/generated/erasers.ts',
    doc: 'What the domains forget when a session is erased.',
    list: (names) => `export const erasersOfDomains = [\n${each(names)}] as const\n`,
  },
  {
    under: 'server/src/domains',
    ending: '.fan-out.service.ts',
    exports: 'FanOut',
    into: 'server/src/app/generated/fan-outs.ts',
    doc: 'What the domains write where an event is published, in its transaction.',
    list: (names) => `export const fanOutsOfDomains = [\n${each(names)}] as const\n`,
  },
  {
    under: 'server/src/domains',
    ending: '.credentials.ts',
    into: 'server/src/app/generated/credentials.ts',
    doc: 'Every kind of bearer credential.',
    type: "import type { CredentialSource } from '../../kernel/credential-source.ts'\n",
    list: (names) => `export const credentialSources: readonly CredentialSource[] = [\n${each(names)}]\n`,
  },
  {
    under: 'server/test/test-support/examples',
    ending: '.examples.ts',
    into: 'server/test/test-support/generated/examples.ts',
    doc: 'A valid request for each endpoint of every domain.',
    list: (names) => `export const examplesOfDomains = {\n${spread(names)}}\n`,
  },
]

const camel = (name: string): string => name.replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase())

/** `webhooks.portal.endpoints.ts` exports `webhooksPortalEndpoints`. */
const exportOf = (file: string, { ending, exports }: DomainList): string =>
  exports === undefined ? camel(basename(file, '.ts')) : `${camel(basename(file, ending))}${exports}`

const filesOf = (root: string, { under, ending }: DomainList): string[] =>
  readdirSync(join(root, under), { recursive: true, encoding: 'utf8' })
    .map((file) => join(under, file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending))
    .sort()

const textOf = (root: string, list: DomainList): string => {
  const files = filesOf(root, list)
  const imports = files.map((file) => {
    const way = relative(dirname(list.into), file).replaceAll('\\', '/')
    return `import { ${exportOf(file, list)} } from '${way}'\n`
  })
  return `// Generated from the folders of the domains by \`npm run generate\`.\n${imports.join('')}${list.type ?? ''}\n/** ${list.doc} */\n${list.list(
    files.map((file) => exportOf(file, list)),
    files,
  )}`
}

/** Whoever adds a file of a domain registers it nowhere: these lists are read from the folders. By path. */
export const domainLists = (root: string): Record<string, string> =>
  Object.fromEntries(lists.map((list) => [list.into, textOf(root, list)]))
