import { IntegrityError } from '@integrity/client/errors'
import { describeError } from '../core/upload/answers.ts'
import type { Problem } from '../shared/ipc/window-state.ts'

/** What the candidate was doing when the error happened. */
export type During = 'join' | 'session'

const joinCode = (error: IntegrityError): Problem['code'] => {
  switch (error.status) {
    case 404:
      return 'code_not_valid'
    case 409:
      return 'session_ended'
    case 400:
      return 'code_malformed'
    case 401:
      return 'code_not_valid'
    default:
      return 'unexpected'
  }
}

const codeOf = (error: IntegrityError, during: During): Problem['code'] => {
  if (error.isUnanswered) return isPinMismatch(error.cause) ? 'certificate_mismatch' : 'server_unreachable'
  if (error.code === 'not_the_service') return error.status >= 500 ? 'server_unreachable' : 'not_the_service'
  if (error.status === 429) return 'too_many_attempts'
  if (error.status >= 500) return 'server_unreachable'
  if (during === 'join') return joinCode(error)
  if (error.status === 401) return 'signed_out'
  return error.status === 403 ? 'registration_refused' : 'unexpected'
}

/** By name, as the error comes wrapped by the HTTP client. */
const isPinMismatch = (error: unknown): boolean => {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner.name === 'PinMismatch') return true
  return false
}

/** The problem code that the window shows for an error; the error's own message is included for support. */
export const problemOf = (error: unknown, during: During): Problem => {
  const code =
    error instanceof IntegrityError
      ? codeOf(error, during)
      : isPinMismatch(error)
        ? 'certificate_mismatch'
        : 'unexpected'
  return { code, detail: describeError(error).slice(0, 500) }
}
