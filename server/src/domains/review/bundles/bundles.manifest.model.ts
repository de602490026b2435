import { TreeHashes } from '../../../kernel/audit/audit.tree.ts'

/** Why something that belongs to the session is not in a bundle. */
export type LeftOut = 'erased' | 'not_chosen' | 'not_permitted' | 'unreadable'

/** One file of a bundle as its manifest names it. */
export interface ManifestPart {
  readonly path: string
  readonly kind: string
  readonly size?: number
  /** Hex. */
  readonly sha256?: string
  /** Of a file of lines: the tree over them, so that lines can be taken out and the rest still be checked. */
  readonly lines?: { readonly count: number; readonly root: string }
  readonly leftOut?: LeftOut
  /** What the evidence is, where the part is evidence; its hash and size are those of the plain bytes. */
  readonly evidence?: Readonly<Record<string, unknown>>
}

interface Manifest {
  readonly text: string
  readonly lines: number
  /** Hex. */
  readonly root: string
}

/** A line for the bundle and one for each part, each a leaf of a tree (RFC 9162, section 2.1) by its bytes. */
export const manifestOf = (head: object, parts: readonly ManifestPart[]): Manifest => {
  const tree = new LineTree()
  const lines = [head, ...parts].map((part) => {
    const line = JSON.stringify(part)
    tree.add(line)
    return `${line}\n`
  })
  return { text: lines.join(''), lines: lines.length, root: tree.root() }
}

/** A tree over lines of text. */
export class LineTree {
  readonly #tree = new TreeHashes()

  get count(): number {
    return this.#tree.size
  }

  add(line: string): void {
    this.#tree.add(Buffer.from(line))
  }

  /** Hex. */
  root(): string {
    return this.#tree.root().toString('hex')
  }
}
