import { differsAt } from './picture-hash.ts'

type Hashes = ReadonlyMap<string, string>

/** A line for each picture, by name: `phone-01-code-en-light 390 ffff00000000.…`. */
export const writeHashes = (hashes: Hashes): string =>
  [...hashes]
    .map(([name, hash]) => `${name} ${hash}\n`)
    .sort()
    .join('')

export const readHashes = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  )

const belongsTo = (shoots: readonly string[]) => (name: string) => shoots.some((shoot) => name.startsWith(`${shoot}-`))

/** The list with the pictures of these shoots in place of those that it had of them. */
export const replaceHashes = (list: Hashes, taken: Hashes, shoots: readonly string[]): Map<string, string> => {
  const belongs = belongsTo(shoots)
  return new Map([...[...list].filter(([name]) => !belongs(name)), ...taken])
}

/** What differs between the list and the pictures that these shoots took, a line each; none where all look as listed. */
export const stalePictures = (list: Hashes, taken: Hashes, shoots: readonly string[]): string[] => {
  const listed = [...list.keys()].filter(belongsTo(shoots))
  const lines = listed.filter((name) => !taken.has(name)).map((name) => `${name}: it was not taken any more`)
  for (const [name, hash] of taken) {
    const before = list.get(name)
    if (before === undefined) {
      lines.push(`${name}: it is new`)
      continue
    }
    const at = differsAt(before, hash)
    if (at !== undefined) lines.push(`${name}: it looks different ${at} pixels from the top`)
  }
  return lines.sort()
}
