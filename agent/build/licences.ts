import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** A package of which something is in the application. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** SPDX, as the package says it. */
  readonly licence: string | undefined
  readonly folder: string
}

const texts = resolve(import.meta.dirname, '../resources/licences')
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
])

/** Licences that are fine for what is shipped in this very way, and for nothing else. */
const exceptions: readonly { readonly name: RegExp; readonly licence: string; readonly why: string }[] = [
  {
    name: /^ffmpeg-static$/,
    licence: 'GPL-3.0-or-later',
    why: 'A program of its own, started as a process; it is not linked into this one.',
  },
  {
    name: /^@img\/sharp-libvips-/,
    licence: 'LGPL-3.0-or-later',
    why: 'A shared library in a file of its own, which can be replaced.',
  },
  {
    name: /^@img\/sharp-win32-/,
    licence: 'Apache-2.0 AND LGPL-3.0-or-later',
    why: 'A shared library in files of its own, which can be replaced.',
  },
]

const exceptionFor = ({ name, licence }: InstalledPackage) =>
  exceptions.find((exception) => exception.name.test(name) && exception.licence === licence)

/** Texts for packages that come without one, and of code inside a package that is under another licence. */
const standardTexts: Readonly<Record<string, readonly string[]>> = {
  'Apache-2.0': ['Apache-2.0.txt'],
  'LGPL-3.0-or-later': ['LGPL-3.0.txt', 'GPL-3.0.txt'],
  'Apache-2.0 AND LGPL-3.0-or-later': ['Apache-2.0.txt', 'LGPL-3.0.txt', 'GPL-3.0.txt'],
}
const within: readonly { readonly name: RegExp; readonly file: string }[] = [
  { name: /^sherpa-onnx-(?:linux|darwin|win)-/, file: 'onnxruntime.txt' },
]

const standard = (file: string): string => readFileSync(join(texts, file), 'utf8').trim()

/** The licence in the package's own words, else the standard text of what it names. Undefined when there is neither. */
const licenceText = (installed: InstalledPackage): string | undefined => {
  const own = readdirSync(installed.folder).filter((name) => /^(?:LICEN[CS]E|COPYING|NOTICE)/i.test(name))
  const parts = own.map((name) => readFileSync(join(installed.folder, name), 'utf8').trim())
  if (parts.length === 0) parts.push(...(standardTexts[installed.licence ?? ''] ?? []).map(standard))
  if (parts.length === 0) return undefined
  parts.push(...within.filter(({ name }) => name.test(installed.name)).map(({ file }) => standard(file)))
  return parts.join('\n\n')
}

/** What speaks against shipping these packages, a line each; empty when nothing does. */
export const licenceProblems = (packages: readonly InstalledPackage[]): string[] =>
  packages.flatMap((installed) => {
    const { name, version, licence } = installed
    if (!allowed.has(licence ?? '') && !exceptionFor(installed)) {
      return [`${name} ${version}: the licence ${licence ?? '(none)'} is not on the list`]
    }
    return licenceText(installed) === undefined ? [`${name} ${version}: no text of its licence was found`] : []
  })

/** The file of all licences: each package with its version, its licence and the text. */
export const licencesText = (packages: readonly InstalledPackage[]): string => {
  const rule = '='.repeat(80)
  const sections = packages.map((installed) => {
    const why = exceptionFor(installed)?.why
    const head = [
      `${installed.name} ${installed.version}`,
      `Licence: ${installed.licence ?? ''}`,
      ...(why ? [why] : []),
    ]
    return `${rule}\n${head.join('\n')}\n${rule}\n\n${licenceText(installed) ?? ''}\n`
  })
  const intro =
    "This program contains the following software of others. Electron's and Chromium's licences are in files beside this one."
  return `${intro}\n\n${sections.join('\n')}`
}

/** The package that a module of a bundle belongs to; undefined for this project's own. */
export const packageFolderOf = (moduleId: string): string | undefined => {
  const path = moduleId.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/')
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)
  return match?.[1] && dirname(match[1]) !== '/' ? match[1] : undefined
}
