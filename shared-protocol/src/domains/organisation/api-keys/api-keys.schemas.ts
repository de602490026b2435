import * as z from 'zod'
import { scopes } from '../../../core/auth.ts'
import { environment, id, instant, oneLine } from '../../../core/primitives.ts'

/** Keys that are not revoked, for each organisation. */
export const maxApiKeys = 100

const scope = z.enum(scopes)

export const apiKeyCreate = z.object({
  label: oneLine(100),
  environment,
  scopes: z
    .array(scope)
    .min(1)
    .max(8 * scopes.length)
    .meta({ description: 'what the key may do; no more than its maker may; one that comes twice counts once' }),
})

export const apiKeyRecord = z
  .object({
    id: id('key'),
    label: z.string(),
    environment,
    scopes: z.array(scope),
    prefix: z.string().meta({ description: 'the beginning of the token, to recognise it by' }),
    status: z.enum(['active', 'revoked']),
    createdAt: instant,
    createdBy: z.object({ kind: z.string(), id: z.string() }).nullable(),
    rotatedAt: instant.nullable(),
    lastUsedAt: instant
      .nullable()
      .optional()
      .meta({ description: 'when it was sent last, a second late; null: never' }),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'ApiKey' })
export const apiKeyWithToken = apiKeyRecord.extend({
  token: z.string().meta({ description: 'the whole key: in this answer and never again' }),
})
export const apiKeyListFilters = {
  environment: environment.optional(),
  status: z.enum(['active', 'revoked']).optional(),
}
