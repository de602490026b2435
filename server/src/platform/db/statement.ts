import type { Param, Statement } from './types.ts'

const none: readonly Param[] = []

/** SQL with `?` placeholders and the parameters for it, checked. */
export interface Compiled {
  readonly sql: string
  readonly params: readonly Param[]
}

const refuse = (value: unknown, index: number): never => {
  let what: string = typeof value
  if (value instanceof Date) what = 'a Date (store epoch milliseconds)'
  else if (typeof value === 'number' || typeof value === 'boolean') what = `${value}`
  throw new TypeError(`parameter ${index + 1} cannot be bound: ${what}`)
}

/** Throws a TypeError for what one engine would store differently from the other, or as NULL. */
export function checkParams(params: readonly unknown[] | undefined): readonly Param[] {
  if (params === undefined) return none
  for (let i = 0; i < params.length; i += 1) {
    const value = params[i]
    switch (typeof value) {
      case 'string':
      case 'bigint':
        break
      case 'number':
        if (!Number.isFinite(value)) refuse(value, i)
        break
      case 'object':
        if (value !== null && !(value instanceof Uint8Array)) refuse(value, i)
        break
      default:
        refuse(value, i)
    }
  }
  return params as readonly Param[]
}

/** The text and parameters of a knex builder; booleans become 0 / 1. */
export function compileBuilder(builder: Exclude<Statement, string>): Compiled {
  const { sql, bindings } = builder.toSQL()
  if (!sql) throw new TypeError('the query builder made no SQL (an insert or an update without values)')
  const values = (bindings ?? []).map((value: unknown) => (typeof value === 'boolean' ? Number(value) : value))
  return { sql, params: checkParams(values) }
}
