import { createHash } from 'node:crypto'
import { canonicalize } from '../../platform/canonical-json.ts'

/** Above that, a body is compared byte by byte: to put it in order would cost more than it is worth. */
const maxCanonicalBytes = 64 * 1024

/**
 * What a request is known by under its Idempotency-Key: two bodies of the same JSON are the same request, in whatever order
 * and with whatever blanks they are written. Some libraries order names differently in each process.
 */
export const jsonHash = (bytes: Buffer, value: unknown): string =>
  createHash('sha256')
    .update(bytes.length > maxCanonicalBytes ? bytes : canonicalize(value))
    .digest('hex')
