import { posix } from 'node:path'
import { reachableFrom, withEnding } from './import-graph.ts'
import { importsOf, isCode, type SourceFile, type StructureCheck } from './source-tree.ts'

const linked = /<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g
const workspace = '@integrity/shared-ui/'

/** A page's own addresses begin at its folder. */
const beside = (page: string, address: string): string => posix.join(posix.dirname(page), address)

const named = (text: string, form: RegExp): string[] => [...text.matchAll(form)].map(([, name]) => name ?? '')

const inWorkspace = (name: string): string =>
  name.startsWith(workspace) ? `shared-ui/src/${name.slice(workspace.length)}` : name

/** What a page, a stylesheet or a module brings along. */
const broughtBy = (file: SourceFile): string[] => {
  const { path, text } = file
  if (isCode(path)) return importsOf(file).map(inWorkspace)
  if (path.endsWith('.html')) return named(text, linked).map((address) => beside(path, address))
  return named(text, /@import "([^"]+)"/g).map((name) =>
    name.startsWith('.') ? beside(path, name) : inWorkspace(name),
  )
}

const classesIn = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/className=(?:"([^"]+)"|\{([^{}]*)\})/g)].flatMap(([, plain, computed]) =>
    (plain ?? named(computed ?? '', /(?:^|[?:]|&&)\s*'([^']*)'/g).join(' ')).split(/\s+/).filter((name) => name !== ''),
  )

/** What a shared component looks like stands in a stylesheet that each page using it has to bring. */
export const classesHaveRules: StructureCheck = {
  name: 'each class that a page uses has a rule in its stylesheet',
  find: (all) => {
    const files = new Map(all.map((file) => [file.path, file]))
    const graph = new Map(all.map((file) => [file.path, broughtBy(file).flatMap((path) => withEnding(path, files))]))
    const unstyledOn = (page: SourceFile): string[] => {
      const brought = [...reachableFrom(page.path, graph)].flatMap((path) => files.get(path) ?? [])
      const styles = brought.filter(({ path }) => path.endsWith('.css'))
      const styled = new Set(styles.flatMap(({ text }) => named(text, /\.(-?[a-z][\w-]*)/gi)))
      return [...new Set(brought.flatMap(classesIn))].filter((name) => !styled.has(name)).sort()
    }
    return all
      .filter(({ path, text }) => path.endsWith('.html') && text.includes('<link rel="stylesheet"'))
      .flatMap((page) =>
        unstyledOn(page).map((name) => ({
          path: page.path,
          message: `its components use the class ${name}, which its stylesheet has no rule for`,
        })),
      )
  },
}
