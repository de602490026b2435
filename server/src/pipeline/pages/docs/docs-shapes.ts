import { meantOf, refName, resolved, type Shape, type Shapes } from '@integrity/protocol/samples/example-value'
import { type Html, html } from '../html.ts'
import { inlineMarkdown } from './markdown.ts'

/** Deeper than this nobody reads a list. */
const deepest = 4

const typeName = (shape: Shape): string => {
  if ('const' in shape) return JSON.stringify(shape.const)
  if (shape.enum) return 'one of'
  const types = typeof shape.type === 'string' ? [shape.type] : (shape.type ?? [])
  return types.filter((type) => type !== 'null').join(' or ') || (shape.properties ? 'object' : 'any JSON')
}

const boundsOf = ({ minimum, maximum, minLength, maxLength, format }: Shape): string[] => [
  ...(format ? [format] : []),
  ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
  ...(maxLength === undefined ? [] : [`${minLength ? `${minLength} to ` : 'at most '}${maxLength} characters`]),
]

const isNullable = (shape: Shape): boolean =>
  [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].some(({ type }) => type === 'null') ||
  (Array.isArray(shape.type) && shape.type.includes('null'))

interface Seen {
  readonly shapes: Shapes
  readonly inside: readonly string[]
}

const field = (name: string, given: Shape, isRequired: boolean, seen: Seen): Html => {
  const ref = refName(meantOf(given))
  const outer = meantOf(resolved(meantOf(given), seen.shapes))
  const isList = outer.type === 'array' && outer.items !== undefined
  const shape = isList ? meantOf(resolved(meantOf(outer.items ?? {}), seen.shapes)) : outer
  const itemRef = isList ? refName(meantOf(outer.items ?? {})) : undefined
  const facts = [
    `${isList ? 'list of ' : ''}${typeName(shape)}${isNullable(given) ? ' or null' : ''}`,
    ...boundsOf(shape),
    ...(outer.default === undefined ? [] : [`default ${JSON.stringify(outer.default)}`]),
  ]
  const names = [ref, itemRef].filter((one) => one !== undefined)
  const inner =
    shape.properties && seen.inside.length < deepest && !names.some((one) => seen.inside.includes(one))
      ? fields(shape, { ...seen, inside: [...seen.inside, names.at(-1) ?? name] })
      : undefined
  const description = given.description ?? outer.description ?? shape.description
  return html`<li><code class="name">${name}</code> <span class="facts">${facts.join(' · ')}${isRequired && html` · <b>required</b>`}</span>${
    shape.enum &&
    html`<div class="values">${shape.enum.map((value) => html`<code>${JSON.stringify(value)}</code> `)}</div>`
  }${description && html`<div>${inlineMarkdown(description)}</div>`}${
    inner && html`<details><summary>Fields of ${name}</summary>${inner}</details>`
  }</li>`
}

const fields = (shape: Shape, seen: Seen): Html =>
  html`<ul class="fields">${Object.entries(shape.properties ?? {}).map(([name, inner]) =>
    field(name, inner, shape.required?.includes(name) ?? false, seen),
  )}</ul>`

/** The fields of a shape, with those inside them folded. */
export const fieldsOf = (given: Shape, shapes: Shapes): Html => {
  const shape = meantOf(resolved(meantOf(given), shapes))
  const name = refName(meantOf(given))
  if (shape.type === 'array' && shape.items)
    return html`<p class="facts">A list of:</p>${fieldsOf(shape.items, shapes)}`
  return fields(shape, { shapes, inside: name === undefined ? [] : [name] })
}

/** One parameter of a path, a query or a header. */
export const parameterOf = (
  parameter: {
    readonly name: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Shape
  },
  shapes: Shapes,
): Html =>
  field(
    parameter.name,
    { ...parameter.schema, ...(parameter.description ? { description: parameter.description } : {}) },
    parameter.required ?? false,
    { shapes, inside: [] },
  )
