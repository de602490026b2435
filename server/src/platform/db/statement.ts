import type { Param } from './types.ts'

const none: readonly Param[] = []

const refuse = (value: unknown, index: number): never => {
  let what: string = typeof value
  if (value instanceof Date) what = 'a Date (store epoch milliseconds)'
  else if (typeof value === 'number' || typeof value === 'boolean') what = `${value}`
  throw new TypeError(`parameter ${index + 1} cannot be bound: ${what}`)
}

/** Throws a TypeError for what one engine would store differently from the other, or as NULL. */
export const checkParams = (params: readonly unknown[] | undefined): readonly Param[] => {
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
