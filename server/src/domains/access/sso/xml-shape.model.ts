/** What an XML document may hold; real answers have some hundred elements, with all groups of somebody some hundreds. */
const most = { elements: 1000, attributes: 3000, depth: 40 } as const

/** Where a tag ends that begins at `at`, past what stands in quotes, and how many values in quotes it has. */
const tagAt = (xml: string, at: number): { readonly end: number; readonly attributes: number } | undefined => {
  let attributes = 0
  for (let n = at + 1; n < xml.length; n++) {
    const char = xml[n]
    if (char === '>') return { end: n, attributes }
    if (char !== '"' && char !== "'") continue
    n = xml.indexOf(char, n + 1)
    if (n === -1) return undefined
    attributes++
  }
  return undefined
}

export type XmlExcess = 'too_many_elements' | 'too_many_attributes' | 'too_deep' | 'not_xml'

/**
 * What of a document is more than it may be, found in one pass over its text before any parser walks it: parsers, canonical form and
 * XPath compare siblings with each other, so that their cost grows with the square of what is counted here.
 */
export const xmlExcess = (xml: string): XmlExcess | undefined => {
  let [elements, attributes, depth] = [0, 0, 0]
  for (let at = xml.indexOf('<'); at !== -1; ) {
    const tag = tagAt(xml, at)
    if (!tag) return 'not_xml'
    const kind = xml[at + 1]
    if (kind === '/') depth--
    else if (kind !== '?' && kind !== '!') {
      if (++elements > most.elements) return 'too_many_elements'
      attributes += tag.attributes
      if (attributes > most.attributes) return 'too_many_attributes'
      if (xml[tag.end - 1] !== '/' && ++depth > most.depth) return 'too_deep'
    }
    at = xml.indexOf('<', tag.end)
  }
  return undefined
}
