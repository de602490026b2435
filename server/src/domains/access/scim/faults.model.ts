import { type ErrorCode, ServiceError } from '@integrity/protocol'

/** The words of RFC 7644, section 3.12, that are used here. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

const codes: Partial<Record<ScimType, ErrorCode>> = { uniqueness: 'conflict' }

/**
 * 409 is for duplicates (RFC 7644, section 3.12): told of one, an identity provider looks for whom to link. What a rule of this
 * service refuses, such as one more seat, is 403.
 */
export const refusedByRule = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'conflict')
      throw new ServiceError('forbidden', error.message, { extra: error.extra })
    throw error
  }
}

/** A refusal with SCIM's own word for it. */
export const scimFault = (scimType: ScimType, message: string): ServiceError =>
  new ServiceError(codes[scimType] ?? 'invalid_request', message, { extra: { scimType } })
