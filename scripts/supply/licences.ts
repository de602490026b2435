import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { corrections } from './licence-rules.ts'
import { idOf, type LockedPackage } from './locked-packages.ts'

/** What a package says of its licence. */
export interface Licence {
  /** An SPDX expression; `unknown` where the package names none. */
  readonly expression: string
  /** The text that must go along, as the package has it; empty where it has none. */
  readonly text: string
}

interface Manifest {
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly { readonly type?: string }[]
}

const named = ({ license, licenses }: Manifest): string | undefined => {
  if (typeof license === 'string') return license
  if (license?.type !== undefined) return license.type
  const types = (licenses ?? []).flatMap(({ type }) => type ?? [])
  return types.length > 0 ? types.join(' OR ') : undefined
}

const isText = (name: string): boolean =>
  /^(?:li[cs]en[cs]e|copying|notice)(?:[-.](?:md|txt|mit|apache|apache2|bsd))?$/i.test(name)

/** Reads licences of what is installed in the tree. */
export const licenceReader = (root: string): ((locked: LockedPackage) => Licence | undefined) => {
  const store = join(root, 'node_modules/.pnpm')
  const entries = new Map<string, string>()
  for (const entry of readdirSync(store)) {
    const [, id] = /^(@?[^@]+@[^_(]+)/.exec(entry) ?? []
    if (id !== undefined && !entries.has(id)) entries.set(id, entry)
  }
  return (locked) => {
    const entry = entries.get(idOf(locked).replace('/', '+'))
    const folder = join(store, entry ?? '', 'node_modules', locked.name)
    if (entry === undefined || !existsSync(join(folder, 'package.json'))) return undefined
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const texts = readdirSync(folder)
      .filter(isText)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    return { expression: corrections[idOf(locked)] ?? named(manifest) ?? 'unknown', text: texts.join('\n\n') }
  }
}
