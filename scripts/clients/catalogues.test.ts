import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const areaFolder = path.join(root, 'shared-protocol/src/texts/areas')
const areaImport = /from '@integrity\/protocol\/texts\/areas\/([\w-]+)'/g

/** The areas of each catalogue that a client makes, by the file that makes it. */
const catalogues = ['agent', 'companion', 'desk', 'room-web'].flatMap((client) =>
  readdirSync(path.join(root, client, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name): [string, string[]] => {
      const text = readFileSync(path.join(root, client, 'src', name), 'utf8')
      const areas = text.includes('catalogueOf(') ? [...text.matchAll(areaImport)].map(([, area = '']) => area) : []
      return [`${client}/src/${name}`, areas]
    })
    .filter(([, areas]) => areas.length > 0),
)

/** Areas that come with a room's pages are said beside all of those of the page that they stand in. */
const besides: Readonly<Record<string, string>> = {
  'desk/src/rooms/people/people-language.tsx': 'desk/src/words/desk.ts',
}
/** Said in the words of the area that is named last, on purpose: a page that stands in for a phone. */
const onPurpose: Readonly<Record<string, readonly string[]>> = {
  'room-web/src/texts/preview-phone.ts': ['openingTitle', 'brokenTitle', 'brokenText'],
}
const together = catalogues.map(([file, areas]): [string, string[]] => {
  const others = catalogues.find(([name]) => name === besides[file])?.[1] ?? []
  return [file, [...others, ...areas]]
})

/** Names of the texts of an area. */
const namesIn = async (area: string): Promise<string[]> => {
  const module = (await import(path.join(areaFolder, `${area}.ts`))) as Record<string, { readonly en: object }>
  return Object.values(module).flatMap(({ en }) => Object.keys(en))
}

// One of two texts with the same name would be said in the place of the other.
describe('the texts of a client', () => {
  it('are found for every client', () => {
    expect(catalogues.length).toBeGreaterThan(9)
    expect(catalogues.map(([file]) => file)).toContain('desk/src/words/desk.ts')
    expect(catalogues.map(([file]) => file)).toEqual(expect.arrayContaining(Object.entries(besides).flat()))
  })

  it.each(together)('give no name twice: %s', async (file, areas) => {
    const names = (await Promise.all(areas.map(namesIn))).flat()
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual(onPurpose[file] ?? [])
  })
})
