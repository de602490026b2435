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

/** A variable, or a list or a count that begins empty, in a function's own scope. */
const inFunction = new RegExp(`^ {2}(?:let |const \\w+(?:${filledLater}|(?::[^=]*)? = \\[\\]$))`)
const isFunction = /^ {2}(?:async )?(?:function (\w+)|const (\w+)(?::[^=]+)? = (?:async )?(?:\(|\w+ =>|<))/
const returnsFunction = /^ {2}return (?:async )?(?:\([^()]*\)|\w+)(?:: [^=]+)? =>/
const returnsObject = /^ {2}return (?:Object\.assign\([^{]*)?\{/
const isMethod =
  /^ {4}(?:(?:async |get |\*)*#?\w+(?:<.*>)?\(.*\{$|(?:async )?\w+: (?:async )?(?:\([^()]*\)|\w+)(?:: [^=]+)? =>|\w+: (?:async )?\($)/

/**
 * Whether a function gives out functions of its own, by its lines: then its variables outlive its call, whatever it is called.
 */
const givesFunctions = (lines: readonly string[]): boolean => {
  const own = new Set(
    lines.flatMap(
      (line) =>
        isFunction
          .exec(line)
          ?.slice(1)
          .filter((name) => name !== undefined) ?? [],
    ),
  )
  const from = lines.findIndex((line) => returnsObject.test(line))
  if (lines.some((line) => returnsFunction.test(line))) return true
  if (from === -1) return lines.some((line) => own.has(/^ {2}return (\w+)$/.exec(line)?.[1] ?? ''))
  const to = lines.findIndex((line, at) => at > from && /^ {2}\}/.test(line))
  const given = to === -1 ? lines.slice(from, from + 1) : lines.slice(from, to)
  return given.some(
    (line) => isMethod.test(line) || (line.match(/\w+(?=[,} ]|$)/g) ?? []).some((name) => own.has(name)),
  )
}

/** Functions of a file that keep something for the functions that they give out. */
const givers = (text: string): string[] =>
  text.split(/^(?=(?:export )?(?:async )?(?:const|function) \w)/m).flatMap((part) => {
    const lines = part.split('\n')
    const name = /^(?:export )?(?:async )?(?:const|function) (\w+)/.exec(part)?.[1]
    const keeps = lines.some((line) => inFunction.test(line))
    return name !== undefined && keeps && givesFunctions(lines) ? [name] : []
  })

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
  for (const name of givers(text)) found.add(name)
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
