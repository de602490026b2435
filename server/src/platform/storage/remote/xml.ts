const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name as string] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

/**
 * The texts of all elements of a name that hold nothing but text, in their order. For the providers' small flat answers:
 * their names are known, and none of them nests within itself.
 */
export const textsOf = (xml: string, name: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<${name}(?:\\s[^<>]*)?>([^<]*)</${name}>`, 'g')), ([, text]) =>
    decode(text ?? ''),
  )

export const textOfFirst = (xml: string, name: string): string | undefined => textsOf(xml, name)[0]

/** What stands within each element of a name. */
export const elementsOf = (xml: string, name: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<${name}(?:\\s[^<>]*)?>([\\s\\S]*?)</${name}>`, 'g')), ([, inner]) => inner ?? '')
