import { idOf, type LockedPackage } from './locked-packages.ts'

/** Licences (SPDX) that ask for nothing but that their text goes along. */
const permissive: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  ...['OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
])

/** Others, by the beginning of a package's name: what it asks for, and why that is met. */
export const exceptions: Readonly<Record<string, { readonly licence: string; readonly why: string }>> = {
  '@img/sharp-libvips-': {
    licence: 'LGPL-3.0-or-later',
    why: 'a shared library of its own file, which its user can replace',
  },
  'caniuse-lite': { licence: 'CC-BY-4.0', why: 'data that the tools read; named here' },
  'ffmpeg-static': {
    licence: 'GPL-3.0-or-later',
    why: 'a program of its own that is run as a process; FFMPEG_PATH names another',
  },
  lightningcss: { licence: 'MPL-2.0', why: 'a tool, unchanged; its files stay under their licence' },
}

/** What these packages say of themselves is no SPDX expression; read in their licence text. */
export const corrections: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf@2.37.3': 'LicenseRef-Bitstream-Vera',
  'parse-cache-control@1.0.1': 'BSD-3-Clause',
  'png-js@2.0.0': 'MIT',
}
const ownTerms: ReadonlySet<string> = new Set(['LicenseRef-Bitstream-Vera'])

/** Whether an SPDX expression without nested brackets can be met by permissive licences alone. */
export const isPermissive = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((one) => permissive.has(one) || ownTerms.has(one)))

/** Why a package may not be depended on; `undefined` where it may. */
export const objectionTo = (locked: LockedPackage, expression: string): string | undefined => {
  if (isPermissive(expression)) return undefined
  const allowed = Object.entries(exceptions).find(([start]) => locked.name.startsWith(start))
  if (allowed?.[1].licence === expression) return undefined
  return `${idOf(locked)} is under ${expression}: use another package, or say in scripts/supply/licence-rules.ts why it may be used`
}
