import { importGraph, reachableFrom } from '../checks/import-graph.ts'
import type { SourceFile } from '../checks/source-tree.ts'
import { applyEdits, type Edit, isNode, type Node, nameOf, parse, walk } from './syntax.ts'

const shouted = /^(?![A-Z]\d*$)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

// What no constant can be called.
const reserved =
  /^(?:break|case|catch|class|const|continue|default|delete|do|else|enum|export|false|finally|for|function|if|import|in|let|new|null|package|private|protected|public|interface|implements|return|static|super|switch|this|throw|true|try|var|void|while|with|yield)$/

/** What came of it: the changed files, and the names that stay since the file has their camelCase already. */
export interface Renamed {
  readonly files: readonly SourceFile[]
  readonly taken: readonly string[]
}

/** Gives constants that the chosen files declare in capitals their camelCase, wherever the tree names them. */
export const camelConstants = (files: readonly SourceFile[], chosen: (path: string) => boolean): Renamed => {
  const graph = importGraph(files)
  const sources = files.filter(({ path, text }) => /\.tsx?$/.test(path) && /\b[A-Z][A-Z0-9_]+\b/.test(text))
  const parsed = new Map(sources.map((file) => [file.path, { ...file, tree: parse(file.path, file.text) }]))
  const declared = new Map(
    [...parsed].map(([path, { tree }]) => [path, chosen(path) ? constantsOf(tree) : new Set<string>()]),
  )
  const known = (path: string): Set<string> => {
    const names = new Set(declared.get(path))
    const loaded = reachableFrom(path, graph)
    for (const name of importedNames(parsed.get(path)?.tree))
      if ([...loaded].some((other) => declared.get(other)?.has(name))) names.add(name)
    return names
  }
  const wanted = new Map([...parsed.keys()].map((path) => [path, known(path)]))
  const taken = new Set<string>()
  for (const [path, names] of wanted) {
    const bound = names.size === 0 ? new Set<string>() : namesIn(parsed.get(path)?.tree)
    for (const name of names)
      if (bound.has(camelCase(name)) || reserved.test(camelCase(name))) taken.add(`${path}: ${name}`)
  }
  const blocked = new Set([...taken].map((line) => line.split(': ')[1] ?? ''))
  const changed = [...parsed.values()].flatMap(({ path, text, tree }) => {
    const names = new Set([...(wanted.get(path) ?? [])].filter((name) => !blocked.has(name)))
    const edits = renames(tree, names)
    return edits.length === 0 ? [] : [{ path, text: applyEdits(text, edits) }]
  })
  return { files: changed, taken: [...taken].sort() }
}

const constantsOf = (tree: Node): Set<string> => {
  const names = new Set<string>()
  walk(tree, (node) => {
    if (node.type === 'VariableDeclarator' && shouted.test(nameOf(node['id']))) names.add(nameOf(node['id']))
    return true
  })
  return names
}

const namesIn = (tree: Node | undefined): Set<string> => {
  const names = new Set<string>()
  if (tree === undefined) return names
  walk(tree, (node, parent) => {
    if (!isKey(node, parent)) names.add(nameOf(node))
    return true
  })
  return names
}

const importedNames = (tree: Node | undefined): Set<string> => {
  const names = new Set<string>()
  if (tree === undefined) return names
  walk(tree, (node) => {
    const from = node['source']
    if (!/^(?:Import|ExportNamed)Declaration$/.test(node.type) || !isNode(from)) return true
    if (!String(from['value']).startsWith('node:'))
      for (const one of node['specifiers'] as Node[]) names.add(nameOf(one['imported'] ?? one['local']))
    return false
  })
  return names
}

const renames = (tree: Node, names: ReadonlySet<string>): Edit[] => {
  if (names.size === 0) return []
  const edits = new Map<number, Edit>()
  walk(tree, (node, parent) => {
    const name = nameOf(node)
    if (!names.has(name) || isKey(node, parent)) return true
    const text = camelCase(name)
    const shorthand = parent.type === 'Property' && parent['shorthand'] === true
    const end = node.start + name.length
    edits.set(node.start, { start: node.start, end, text: shorthand ? `${name}: ${text}` : text })
    return true
  })
  return [...edits.values()]
}

/** A property's name, which is no name of a constant. */
const isKey = (node: Node, parent: Node): boolean => {
  if (parent['computed'] === true || parent['shorthand'] === true) return false
  if (parent.type === 'MemberExpression') return parent['property'] === node
  return parent['key'] === node
}
