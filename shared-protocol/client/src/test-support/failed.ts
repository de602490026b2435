import { type Failure, type FailureKind, IntegrityError } from '../errors.ts'

const answers: Readonly<Record<FailureKind, Pick<Failure, 'status' | 'code'>>> = {
  later: { status: 503, code: 'service_unavailable' },
  too_many: { status: 429, code: 'rate_limited' },
  unauthorized: { status: 401, code: 'unauthorized' },
  forbidden: { status: 403, code: 'forbidden' },
  not_found: { status: 404, code: 'not_found' },
  conflict: { status: 409, code: 'conflict' },
  refused: { status: 400, code: 'invalid_request' },
}

/** What the service answers for a failure of that kind. */
export const failed = (kind: FailureKind, more: Partial<Failure> = {}): IntegrityError =>
  new IntegrityError({ ...answers[kind], message: kind, ...more })

/** Nobody answered. */
export const unreached = (): IntegrityError =>
  new IntegrityError({ code: 'no_answer', message: 'no answer', cause: new TypeError('Failed to fetch') })
