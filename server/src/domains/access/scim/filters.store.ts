import type { Param } from '../../../platform/db/types.ts'
import { scimFault } from './faults.model.ts'
import type { Comparison, Filter, FilterValue } from './filter.model.ts'

/** A part of a statement with its values. */
export interface Condition {
  readonly sql: string
  readonly params: readonly Param[]
}

/** An attribute as the database knows it. */
export type Column =
  | {
      readonly kind: 'text'
      readonly sql: string
      readonly caseExact?: boolean
      readonly equal?: (value: string) => Condition
    }
  /** Values in lower case, each between line feeds. */
  | { readonly kind: 'texts'; readonly sql: string }
  | { readonly kind: 'boolean'; readonly sql: string }
  | { readonly kind: 'time'; readonly sql: string }
  /** Ids that can only be asked for whole. */
  | { readonly kind: 'ids'; readonly equal: (value: string) => Condition; readonly any: string }

export type Columns = Readonly<Record<string, Column>>

const never: Condition = { sql: '1 = 0', params: [] }
const bad = (message: string) => scimFault('invalidFilter', `filter: ${message}`)

/** `%` and `_` are letters here. */
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
const like = (sql: string, pattern: string): Condition => ({ sql: `${sql} LIKE ? ESCAPE '\\'`, params: [pattern] })
const signs: Partial<Record<Comparison, string>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' }

const negated = ({ sql, params }: Condition): Condition => ({ sql: `NOT COALESCE((${sql}), 1 = 0)`, params })

const ofText = (column: Extract<Column, { kind: 'text' }>, test: Comparison, given: string): Condition => {
  const value = column.caseExact ? given : given.toLowerCase()
  if (test === 'eq' && column.equal) return column.equal(value)
  if (test === 'co') return like(column.sql, `%${escaped(value)}%`)
  if (test === 'sw') return like(column.sql, `${escaped(value)}%`)
  if (test === 'ew') return like(column.sql, `%${escaped(value)}`)
  return { sql: `${column.sql} ${signs[test]} ?`, params: [value] }
}

const ofTexts = ({ sql }: { sql: string }, test: Comparison, given: string): Condition => {
  const value = escaped(given.toLowerCase())
  if (test === 'eq') return like(sql, `%\n${value}\n%`)
  if (test === 'co') return like(sql, `%${value}%`)
  if (test === 'sw') return like(sql, `%\n${value}%`)
  if (test === 'ew') return like(sql, `%${value}\n%`)
  throw bad('addresses have no order')
}

const ofTime = ({ sql }: { sql: string }, test: Comparison, value: FilterValue): Condition => {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  const sign = signs[test]
  if (Number.isNaN(ms) || sign === undefined) throw bad('times are compared with times')
  return { sql: `${sql} ${sign} ?`, params: [ms] }
}

const comparison = (column: Column, test: Comparison, value: FilterValue): Condition => {
  if (test === 'ne') return negated(comparison(column, 'eq', value))
  if (value === null) return test === 'eq' ? negated(presence(column)) : never
  if (column.kind === 'boolean') {
    const wanted = String(value).toLowerCase()
    if (test !== 'eq' || !['true', 'false'].includes(wanted)) throw bad('it is true or false')
    return { sql: `${column.sql} = ?`, params: [Number(wanted === 'true')] }
  }
  if (column.kind === 'time') return ofTime(column, test, value)
  if (typeof value !== 'string') return never
  if (column.kind === 'texts') return ofTexts(column, test, value)
  if (column.kind === 'text') return ofText(column, test, value)
  if (test !== 'eq') throw bad('ids are compared with eq')
  return column.equal(value)
}

const presence = (column: Column): Condition => {
  if (column.kind === 'ids') return { sql: column.any, params: [] }
  if (column.kind === 'text' || column.kind === 'texts') return { sql: `COALESCE(${column.sql}, '') <> ''`, params: [] }
  return { sql: '1 = 1', params: [] }
}

const joined = (conditions: readonly Condition[], word: 'AND' | 'OR'): Condition => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(` ${word} `),
  params: conditions.flatMap(({ params }) => params),
})

/** In `emails[…]` one address must be of that value; what it is for is not looked for. */
const within = (path: string, of: Filter): Filter => {
  if ('parts' in of)
    return { kind: of.kind, parts: of.parts.flatMap((part) => (isType(part) ? [] : [within(path, part)])) }
  if (of.kind === 'not') return { kind: 'not', of: within(path, of.of) }
  if (of.kind === 'within') throw bad('brackets stand in no brackets')
  return { ...of, path: `${path}.${of.path}` }
}
const isType = (filter: Filter): boolean => filter.kind === 'compare' && filter.path === 'type'

/** A filter as a condition. What no column stands for is refused, or matches nothing where `lenient`. */
export const conditionOf = (filter: Filter, columns: Columns, lenient = false): Condition => {
  const again = (inner: Filter) => conditionOf(inner, columns, lenient)
  if ('parts' in filter) {
    if (filter.parts.length === 0) throw bad('an address is looked for by its value')
    return joined(filter.parts.map(again), filter.kind === 'and' ? 'AND' : 'OR')
  }
  if (filter.kind === 'not') return negated(again(filter.of))
  if (filter.kind === 'within') return again(within(filter.path, filter.of))
  const column = Object.hasOwn(columns, filter.path) ? columns[filter.path] : undefined
  if (!column && lenient) return never
  if (!column) throw bad(`${filter.path.slice(0, 60)} cannot be looked for`)
  return filter.kind === 'present' ? presence(column) : comparison(column, filter.test, filter.value)
}
