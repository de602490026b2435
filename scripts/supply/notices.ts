import { exceptions } from './licence-rules.ts'
import { licenceReader } from './licences.ts'
import { idOf, type LockedPackage, lockedPackages } from './locked-packages.ts'

/** The parts of the workspace that others get, as folders. */
export const shippedParts = [
  'agent',
  'command-line',
  'companion',
  'desk',
  'room-web',
  'server',
  'shared-protocol/client',
  'shared-ui',
]

const rule = '-'.repeat(80)

/**
 * THIRD-PARTY-NOTICES: every package that the shipped parts run with, its licence and the text of that, from the lockfile and
 * what it installed. A text that several packages share is there once. What is for one system alone is named at the end,
 * so that the file is the same on all of them.
 */
export const thirdPartyNotices = (root: string): string => {
  const read = licenceReader(root)
  const byText = new Map<string, string[]>()
  const optional: LockedPackage[] = []
  for (const locked of lockedPackages(root, shippedParts)) {
    const licence = locked.optional ? undefined : read(locked)
    if (!licence) {
      optional.push(locked)
      continue
    }
    const text = licence.text === '' ? `(The package has no text of its licence: ${licence.expression}.)` : licence.text
    byText.set(text, [...(byText.get(text) ?? []), `${idOf(locked)} (${licence.expression})`])
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`)
  const noted = Object.entries(exceptions).map(([name, { licence, why }]) => `${name}: ${licence}; ${why}`)
  return `Interview Integrity uses the packages below. Made from pnpm-lock.yaml by \`npm run generate\`.

Under licences that ask for more than their text:
${noted.join('\n')}

${parts.map((part) => `${rule}\n${part}\n`).join('\n')}
${rule}
Packages that are installed where they are needed, mostly for one system; each carries its own licence:

${optional.map(idOf).join('\n')}
`
}
