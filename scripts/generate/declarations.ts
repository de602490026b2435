import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { SourceFile } from '../checks/source-tree.ts'

interface Emitted {
  readonly code: string
  readonly errors: readonly { readonly message: string }[]
}
interface Library {
  readonly isolatedDeclarationSync: (name: string, text: string) => Emitted
}

/** Declarations of one file without their comments, made from its text alone: what it exports says its types itself. */
export const createDeclarationsOf = (root: string): ((file: SourceFile) => SourceFile) => {
  // The client's package builds with it, and nothing else has it.
  const library = createRequire(join(root, 'shared-protocol/client/package.json'))
  const { isolatedDeclarationSync } = library('rolldown/experimental') as Library
  return ({ path, text }) => {
    const { code, errors } = isolatedDeclarationSync(path, text)
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`)
    return { path, text: code.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').replaceAll('\t', '  ') }
  }
}
