import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** `phone-01-code-en-light.webp`: whose picture, of what, and how. */
const partsOf = (file: string) => /^(?<of>.+?)(?:-(?<how>(?:en|hi)-[a-z0-9]+))?\.webp$/.exec(file)?.groups ?? {}

/** A page beside the pictures that shows all of them small: a row for each state, whoever looks for one sees what is missing. */
export const writeContactSheet = (folder: string): void => {
  const rows = new Map<string, string[]>()
  for (const file of readdirSync(folder).sort()) {
    const { of, how } = partsOf(file)
    if (of === undefined) continue
    const picture = `<a href="${file}"><img src="${file}" width="160" alt="${[of, how].filter(Boolean).join(' ')}"></a>`
    rows.set(of, [...(rows.get(of) ?? []), picture])
  }
  const lines = [...rows].map(([of, pictures]) => `| ${of} | ${pictures.join(' ')} |`)
  writeFileSync(
    path.join(folder, 'README.md'),
    [
      '# Every screen, mail and report that others see',
      '',
      'Taken by `npm run screens`; `npm run screens -- --check` takes them again and names those that look different.',
      '',
      '| state | light, dark, Hindi, 320 pixels wide |',
      '|---|---|',
      ...lines,
      '',
    ].join('\n'),
  )
}
