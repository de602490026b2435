import { parseAst } from 'vitest/node'

/** A node of the ESTree that vite's parser gives for TypeScript. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** A stretch of a text, and what comes in its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

export const parse = (path: string, text: string): Node =>
  parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))

/** Calls `visit` with each node below this one and its parent, from the outside in; where it answers false, not deeper. */
export const walk = (node: Node, visit: (node: Node, parent: Node) => boolean | undefined): void => {
  for (const child of childrenOf(node)) if (visit(child, node) !== false) walk(child, visit)
}

export const nameOf = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : ''

export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, { start, end, text: by }) => changed.slice(0, start) + by + changed.slice(end), text)
