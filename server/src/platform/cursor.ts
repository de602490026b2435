import { hash } from 'node:crypto'

/** A place in a list that grows, opaque to clients: `position` (from 0) in the list `of` this name. */
export const encodePosition = (of: string, position: number): string =>
  Buffer.from(`${position}.${of}`, 'latin1').toString('base64url')

/** Undefined for what `encodePosition` did not make for this list. */
export const decodePosition = (of: string, cursor: string): number | undefined => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, digits] = /^(0|[1-9][0-9]{0,14})\./.exec(text) ?? []
  if (digits === undefined || encodePosition(of, Number(digits)) !== cursor) return undefined
  return Number(digits)
}

/** The values that tell a row's place in an order. */
export type Key = readonly (string | number)[]

/** What a list's name becomes in its cursors: long enough that no list takes another's for its own. */
const checkOf = (of: string): string => hash('sha256', of, 'base64url').slice(0, 12)

/** The place behind the row with this key, opaque to clients, and how many rows lie before it. */
export const encodeKey = (of: string, rows: number, key: Key): string =>
  Buffer.from(JSON.stringify([checkOf(of), rows, ...key])).toString('base64url')

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Undefined for what `encodeKey` did not make for this list, whose keys are of these kinds. */
export const decodeKey = (
  of: string,
  kinds: readonly ('string' | 'number')[],
  cursor: string,
): { rows: number; key: Key } | undefined => {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(value)) return undefined
  const [check, rows, ...key] = value as unknown[]
  const isKey = key.length === kinds.length && kinds.every((kind, index) => typeof key[index] === kind)
  const isWhole = key.every((part) => typeof part !== 'number' || Number.isSafeInteger(part))
  if (check !== checkOf(of) || !isCount(rows) || !isKey || !isWhole) return undefined
  return { rows, key: key as unknown as Key }
}
