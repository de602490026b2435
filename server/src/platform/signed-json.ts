import { isUtf8 } from 'node:buffer'
import { ServiceError } from '@integrity/protocol'
import { excessOf } from './json-shape.ts'

const bounds = { maxDepth: 64, maxValues: 20_000 }

const refuse = (message: string) => new ServiceError('invalid_request', message, { details: [{ path: '', message }] })

/**
 * What a message of a provider says. Parsed only once its signature holds, or with a `maxValues` of a message that holds its
 * signature within.
 * @throws ServiceError `invalid_request` for what is no JSON, or more of it than any message of a provider
 */
export const readSignedJson = (bytes: Buffer, maxValues = bounds.maxValues): unknown => {
  if (!isUtf8(bytes)) throw refuse('the body is not UTF-8')
  if (excessOf(bytes, { ...bounds, maxValues }))
    throw refuse('the body holds more values than any message of a provider')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw refuse('the body is not JSON')
  }
}

/** @throws ServiceError `invalid_request`, 413 */
export const expectSize = (bytes: Buffer, most: number): void => {
  if (bytes.length > most)
    throw new ServiceError('invalid_request', `the body is larger than ${most} bytes`, { status: 413 })
}
