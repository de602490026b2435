import type { ErrorCode, PackAnswer } from './endpoint-types.ts'
import { IntegrityError } from './errors.ts'
import { statusByCode } from './generated/pack-contract.ts'

const isKnown = (code: string): code is ErrorCode => code in statusByCode

/** Why an item of a pack was refused, as the endpoint of one such item would have answered. */
export const itemRefusal = ({ error }: PackAnswer['items'][number]): IntegrityError => {
  const { code = 'internal_error', message = 'this item was refused', details = [], retryAfterSeconds } = error ?? {}
  return new IntegrityError({
    // A code of a newer service: it would be refused again.
    code: isKnown(code) ? code : 'invalid_request',
    status: isKnown(code) ? statusByCode[code] : 400,
    message,
    details,
    retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
  })
}

/** Whether a refusal of a whole pack means that the service has no such endpoint, as older ones answer. */
export const isWithoutPacks = (error: unknown): boolean =>
  error instanceof IntegrityError && (error.status === 404 || error.status === 405)

/** Whether it says that the request is too large: whoever stands between may take less than the service does. */
export const isTooLarge = (error: unknown): boolean => error instanceof IntegrityError && error.status === 413
