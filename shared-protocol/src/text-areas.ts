const camel = (area: string): string => area.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

const areaFile = (
  area: string,
  codes: readonly string[],
): string => `// Generated from languages.ts by \`npm run generate\`.
import type { Area } from '../catalogue.ts'
${codes.map((code) => `import { texts as ${code} } from '../${code}/${area}.ts'\n`).join('')}
export const ${camel(area)}Texts = { ${codes.join(', ')} } as const satisfies Area<typeof en>
`

/**
 * The sources that bring the languages of each area together, by path in the folder of the texts. An area has a file of
 * its own, so that a client loads the words that it uses and no others.
 */
export const areaFiles = (areas: readonly string[], codes: readonly string[]): Record<string, string> =>
  Object.fromEntries(areas.map((area) => [`areas/${area}.ts`, areaFile(area, codes.toSorted())]))
