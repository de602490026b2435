import { StorageError } from '../types.ts'

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name as string] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

/** A page of any list that is asked for has a thousand entries. */
const maxElements = 2000

const tooMany = () => new StorageError('unusable', 'the provider lists more than it was asked for')

/** What is behind a name in its opening tag; anything else is a longer name. */
const behindName: ReadonlySet<string | undefined> = new Set(['>', '/', ' ', '\n', '\r', '\t'])

/**
 * What stands within each element of a name, in their order. For the providers' small flat answers: their names are known, and
 * none of them nests within itself. Each character is passed once, whatever the answer is: it comes from whoever an organisation
 * names as its storage.
 * @throws StorageError `unusable` for more of them than any answer has
 */
export const elementsOf = (xml: string, name: string): string[] => {
  const [opening, closing] = [`<${name}`, `</${name}>`]
  const found: string[] = []
  let at = xml.indexOf(opening)
  while (at !== -1) {
    if (!behindName.has(xml[at + opening.length])) {
      at = xml.indexOf(opening, at + opening.length)
      continue
    }
    const begin = xml.indexOf('>', at + opening.length)
    if (begin === -1) break
    const isEmpty = xml[begin - 1] === '/'
    const end = isEmpty ? begin + 1 : xml.indexOf(closing, begin + 1)
    // Without its end there is none of this name behind it either.
    if (end === -1) break
    if (found.length === maxElements) throw tooMany()
    found.push(isEmpty ? '' : xml.slice(begin + 1, end))
    at = xml.indexOf(opening, end)
  }
  return found
}

/** The texts of all elements of a name that hold nothing but text, in their order. */
export const textsOf = (xml: string, name: string): string[] =>
  elementsOf(xml, name).flatMap((inner) => (inner.includes('<') ? [] : [decode(inner)]))

/** The first of them; elements behind it are not looked at. */
export const textOfFirst = (xml: string, name: string): string | undefined => {
  const end = xml.indexOf(`</${name}>`)
  return end === -1 ? undefined : textsOf(xml.slice(0, end + name.length + 3), name)[0]
}
