import { type Finding, isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

/** Where it is said what becomes of each piece behind a balancer. */
export const stateList = 'docs/scaling.md'

const holding = '(?:Map|Set|WeakMap|WeakSet|Cache)'
/** `name = new Map()`: one that begins empty is there to be filled; one with contents is a table of constants. */
const filledLater = `(?::[^=]+)? = new ${holding}\\b(?:<.*>)?\\((?:\\)|\\{)`
const inModule = new RegExp(`^(?:export )?(?:let \\w|const \\w+${filledLater})`)
const inClass = new RegExp(
  `^ {2}(?:readonly )?#?\\w+(?:${filledLater}|(?::[^=]*)? = (?:\\[\\]|0)$)|this\\.#\\w+ = new ${holding}\\b`,
)
const inMaker = new RegExp(`^ {2}(?:let \\w|const \\w+${filledLater})`)
const inObject = new RegExp(`^ +\\w+: new ${holding}\\b(?:<.*>)?\\((?:\\)|\\{)`)
const isPart = /^declare module '[./]+kernel\/parts\.ts'/
/** Functions whose variables outlive their call: they make something that keeps them. */
const maker = /^(?:bound|build|create|follow|limit|listen|memo|open|remember|serve|signs|start|watch)/

/** The names of what holds state in a file of the server; `module` for the file itself. */
export const stateOf = (text: string): string[] => {
  const found = new Set<string>()
  let hasPart = false
  let owner = 'module'
  let ofClass = false
  for (const line of text.split('\n')) {
    const [, kind, name] = /^(?:export )?(?:abstract )?(const|class|function) (\w+)/.exec(line) ?? []
    if (name !== undefined) {
      owner = name
      ofClass = kind === 'class'
    }
    hasPart ||= isPart.test(line)
    if (inModule.test(line)) found.add('module')
    else if (ofClass ? inClass.test(line) : maker.test(owner) && (inMaker.test(line) || inObject.test(line)))
      found.add(owner)
  }
  // What a domain keeps for all of its requests, however it is written.
  return found.size === 0 && hasPart ? ['part'] : [...found]
}

const isServer = (path: string): boolean =>
  path.startsWith('server/src/') && isCode(path) && !isTest(path) && !/generated\/|migrations\/|test-support/.test(path)

/** Every piece of state that a process keeps has its line in the list, and every line its piece. */
export const stateIsListed: StructureCheck = {
  name: `what a process of the server keeps in its memory is in ${stateList}, with what becomes of it behind a balancer`,
  find(files: readonly SourceFile[]): Finding[] {
    const list = files.find(({ path }) => path === stateList)?.text
    if (list === undefined) return []
    const listed = new Set(
      [...list.matchAll(/^\| `(\S+)` (\w+) \| \w+ \| [^|]{10,} \|$/gm)].map((m) => `${m[1]} ${m[2]}`),
    )
    const there = files
      .filter(({ path }) => isServer(path))
      .flatMap(({ path, text }) => stateOf(text).map((owner) => `${path.slice('server/src/'.length)} ${owner}`))
    const known = new Set(there)
    return [
      ...there
        .filter((one) => !listed.has(one))
        .map((one) => ({
          path: `server/src/${one.split(' ')[0]}`,
          message: `${one} keeps state and has no line in ${stateList}`,
        })),
      ...[...listed]
        .filter((one) => !known.has(one))
        .map((one) => ({ path: stateList, message: `the line of ${one} is stale: nothing there keeps state` })),
    ]
  },
}
