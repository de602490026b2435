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

/** A refusal with SCIM's own word for it. */
export const scimFault = (scimType: ScimType, message: string): ServiceError =>
  new ServiceError(codes[scimType] ?? 'invalid_request', message, { extra: { scimType } })
