import { DOMParser } from '@xmldom/xmldom'
import { xmlExcess } from './xml-shape.model.ts'

export const ns = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/** Why something that an identity provider sent is not taken: one word, and the provider's own ones where it refuses. */
export class SamlRefusal extends Error {
  override readonly name = 'SamlRefusal'
  readonly reason: string
  readonly said: string | undefined
  constructor(reason: string, said?: string) {
    super(reason)
    this.reason = reason
    this.said = said
  }
}
export const refuse = (reason: string, said?: string): never => {
  throw new SamlRefusal(reason, said)
}

const fail = (): never => refuse('not_xml')

const walk = (node: Node, seen: Element[]): void => {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    // A comment cuts a text in two for some readers; CDATA and instructions have no business here either.
    if (child.nodeType !== 1 && child.nodeType !== 3) refuse('comment_or_instruction')
    if (child.nodeType !== 1) continue
    seen.push(child as Element)
    walk(child, seen)
  }
}

export interface SamlDocument {
  readonly root: Element
  /** All of them, the root first. */
  readonly elements: readonly Element[]
}

/** Strict: no more elements than real ones have, one root, no document type, no comments, no instructions, no entity but XML's own five. */
export const readXml = (xml: string): SamlDocument => {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) refuse('document_type')
  const excess = xmlExcess(xml)
  if (excess) refuse(excess)
  const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } })
  // Some makers write a line break behind the declaration, or at the end: it is in nothing that is signed.
  const alone = xml.replace(/^\uFEFF?<\?xml[^>]*\?>/, '').trim()
  const parsed = parser.parseFromString(alone, 'text/xml') as Document | undefined
  const root = parsed?.documentElement
  if (!parsed || !root) throw new SamlRefusal('not_xml')
  const elements: Element[] = []
  walk(parsed, elements)
  if (elements[0] !== root || parsed.childNodes.length !== 1) refuse('several_roots')
  return { root, elements }
}

export const isNamed = (element: Element | null | undefined, namespace: string, name: string): boolean =>
  element?.namespaceURI === namespace && element.localName === name

export const childElements = (element: Element): Element[] => {
  const children: Element[] = []
  for (let child = element.firstChild; child; child = child.nextSibling)
    if (child.nodeType === 1) children.push(child as Element)
  return children
}
export const childrenNamed = (element: Element, namespace: string, name: string): Element[] =>
  childElements(element).filter((child) => isNamed(child, namespace, name))

/** The one child of this name; undefined for none. Two are refused. */
export const oneChild = (element: Element, namespace: string, name: string): Element | undefined => {
  const found = childrenNamed(element, namespace, name)
  if (found.length > 1) refuse(`several_${name}`)
  return found[0]
}
export const attribute = (element: Element, name: string): string | undefined => element.getAttribute(name) || undefined
/** The text of an element that has nothing but text. */
export const textOf = (element: Element | undefined): string | undefined => {
  if (!element) return undefined
  if (childElements(element).length > 0) refuse('not_text')
  return element.textContent?.trim() || undefined
}

/** An instant of XML Schema in UTC, in epoch milliseconds; undefined for none. */
export const instantOf = (element: Element, name: string): number | undefined => {
  const value = attribute(element, name)
  if (value === undefined) return undefined
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]00:00)$/.test(value)
  const at = isInstant ? Date.parse(value.replace(/(\.\d{3})\d+/, '$1').replace(/[+-]00:00$/, 'Z')) : Number.NaN
  return Number.isNaN(at) ? refuse('bad_instant') : at
}
