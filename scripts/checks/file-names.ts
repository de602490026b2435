import type { StructureCheck } from './source-tree.ts'

/** What a file of a domain may be, and what it holds then. */
const roles: Readonly<Record<string, string>> = {
  routes: 'handlers, one line each',
  service: 'decisions',
  store: 'SQL',
  policy: 'who may',
  view: 'the shape of what is answered',
  types: 'shapes that other domains name',
  model: 'rules and sums over plain data, and its types',
  jobs: 'work for later',
  worker: 'a part that runs in the background',
  parts: 'state that lives as long as the server',
  credentials: "what the domain's credentials are and how they are found",
  messages: 'mail',
  texts: 'words for people; a language may stand before or behind',
}

const roleOf = (path: string): string | undefined =>
  /^server\/src\/domains\/(?:[^/]+\/)+[^/]+?(?:\.(\w[\w-]*))?(?:\.test)?\.ts$/.exec(
    path.replace(/\.(?:en|hi)(?=\.ts$)/, ''),
  )?.[1]

export const closedRoles: StructureCheck = {
  name: 'a file of a domain is <subject>.<role>.ts, of a closed list of roles',
  find: (files) =>
    files
      .filter(
        ({ path }) =>
          /^server\/src\/domains\/.*\.ts$/.test(path) && !/(?:\.test-support\.ts$|\/test-support\/)/.test(path),
      )
      .filter(({ path }) => !Object.hasOwn(roles, roleOf(path) ?? ''))
      .map(({ path }) => ({ path, message: `has no role of the list: ${Object.keys(roles).join(', ')}` })),
}

const otherHelper =
  /\.(?:fixtures?|child|helpers?|mock|stub|test-utils?)\.tsx?$|\/(?:testing|support|fixtures|helpers|__\w+__)\//

export const helperNames: StructureCheck = {
  name: 'what tests share is *.test-support.ts or lies in test-support/',
  find: (files) =>
    files
      .filter(({ path }) => /\.tsx?$/.test(path) && otherHelper.test(path))
      .map(({ path }) => ({ path, message: 'is a helper of tests by another name' })),
}
