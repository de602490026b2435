import { posix } from 'node:path'
import { importsOf, type SourceFile, type StructureCheck } from './source-tree.ts'

type Files = ReadonlyMap<string, SourceFile>

const stylesheet = /<link rel="stylesheet" href="([^"]+)"/g
const script = /<script type="module" src="([^"]+)"/g
const workspace = '@integrity/shared-ui/'

/** A page's own addresses begin at its folder. */
const beside = (page: string, address: string): string => posix.join(posix.dirname(page), address)

const named = (text: string, form: RegExp): string[] => [...text.matchAll(form)].map(([, name]) => name ?? '')

const inWorkspace = (name: string): string =>
  name.startsWith(workspace) ? `shared-ui/src/${name.slice(workspace.length)}` : name

/** Every file that can be reached from these, by what each imports. */
const closure = (start: readonly string[], files: Files, imported: (file: SourceFile) => string[]): SourceFile[] => {
  const reached = new Map<string, SourceFile>()
  const waiting = [...start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path)
    if (file === undefined || reached.has(path)) continue
    reached.set(path, file)
    waiting.push(...imported(file))
  }
  return [...reached.values()]
}

const rulesOf = ({ path, text }: SourceFile): string[] =>
  named(text, /@import "([^"]+)"/g).map((name) => (name.startsWith('.') ? beside(path, name) : inWorkspace(name)))

const classesIn = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/className=(?:"([^"]+)"|\{([^{}]*)\})/g)].flatMap(([, plain, computed]) =>
    (plain ?? named(computed ?? '', /(?:^|[?:]|&&)\s*'([^']*)'/g).join(' ')).split(/\s+/).filter((name) => name !== ''),
  )

const unstyledOn = (page: SourceFile, files: Files): string[] => {
  const at = (form: RegExp) => named(page.text, form).map((address) => beside(page.path, address))
  const styles = closure(at(stylesheet), files, rulesOf)
  const styled = new Set(styles.flatMap(({ text }) => named(text, /\.(-?[a-z][\w-]*)/gi)))
  const code = closure(at(script), files, (file) => importsOf(file).map(inWorkspace))
  return [...new Set(code.flatMap(classesIn))].filter((name) => !styled.has(name)).sort()
}

/** What a shared component looks like stands in a stylesheet that each page using it has to bring. */
export const classesHaveRules: StructureCheck = {
  name: 'each class that a page uses has a rule in its stylesheet',
  find: (all) => {
    const files = new Map(all.map((file) => [file.path, file]))
    return all
      .filter(({ path, text }) => path.endsWith('.html') && text.includes('<link rel="stylesheet"'))
      .flatMap((page) =>
        unstyledOn(page, files).map((name) => ({
          path: page.path,
          message: `its components use the class ${name}, which its stylesheet has no rule for`,
        })),
      )
  },
}
