import { isUtf8 } from 'node:buffer'
import { ServiceError } from '@integrity/protocol'
import { excessOf } from './json-shape.ts'
import { withoutHalves } from './surrogates.ts'

export const unreadable = (what: string, message: string) =>
  new ServiceError('invalid_request', `${what} ${message}`, { details: [{ path: '', message: `${what} ${message}` }] })

/** No body needs more; what walks a value later does so by recursion, and must not run out of stack. */
const maxDepth = 64
/** Names of one object; what is free to choose has as many in all that it may hold. */
const maxNames = 2000

const holdsNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some(([k, v]) => k.includes('\0') || holdsNul(v))

/**
 * The value of JSON text. Its shape is looked at first, so that nothing is built of what is refused for it.
 * @throws ServiceError `invalid_request` for what is no JSON, nested too deep, or more than `maxValues` values
 */
export const parseJson = (bytes: Buffer, what: string, maxValues: number): unknown => {
  if (!isUtf8(bytes)) throw unreadable(what, 'is not UTF-8')
  const excess = excessOf(bytes, { maxDepth, maxValues, maxNames })
  if (excess === 'maxDepth') throw unreadable(what, `is nested more than ${maxDepth} deep`)
  if (excess === 'maxNames') throw unreadable(what, `holds an object of more than ${maxNames} names`)
  if (excess) throw unreadable(what, `holds more than ${maxValues} values: send less at a time`)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw unreadable(what, 'is not JSON')
  }
  // Postgres has no text with U+0000; looking at the bytes first keeps the walk out of every other request.
  if (bytes.includes('\\u0000') && holdsNul(value)) throw unreadable(what, 'must not contain the character U+0000')
  return bytes.includes('\\ud') || bytes.includes('\\uD') ? withoutHalves(value) : value
}
