import { createHash, createHmac } from 'node:crypto'
import { ServiceError } from '@integrity/protocol'
import { constantTimeEqual } from '../crypto/secrets.ts'

/** One error for a wrong signature and for an unknown address. */
export const notSigned = (): ServiceError =>
  new ServiceError('unauthorized', 'the signature is not valid, or there is no such address', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

export const hmacHex = (secret: string, ...texts: readonly (string | Buffer)[]): string => {
  const mac = createHmac('sha256', secret)
  for (const text of texts) mac.update(text)
  return mac.digest('hex')
}

/** @throws ServiceError where they differ */
export const expectSignature = (given: string | undefined, expected: string): void => {
  if (given === undefined || !constantTimeEqual(given.toLowerCase(), expected)) throw notSigned()
}

/** A message by its bytes: a name for one whose own name is not signed. */
export const keyOfBody = (bytes: Buffer): string => `body:${createHash('sha256').update(bytes).digest('hex')}`
