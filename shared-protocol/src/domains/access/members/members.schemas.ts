import * as z from 'zod'
import { scopes } from '../../../core/auth.ts'
import { mailAddress } from '../../../core/mail-address.ts'
import { builtInRole } from '../../../core/permissions.ts'
import { environment, id, instant, oneLine } from '../../../core/primitives.ts'
import { heldRole } from '../../organisation/orgs/held-role.schemas.ts'

/** Members of an organisation, deactivated ones included. */
export const maxMembers = 10_000

export const personName = oneLine(200)

export const memberAdd = z.object({
  email: mailAddress,
  name: personName.meta({ description: 'how this organisation calls the person' }),
  role: builtInRole,
  locale: z.string().max(35).optional().meta({ description: 'language of the message, BCP 47; English otherwise' }),
})

export const memberChange = z.object({ role: builtInRole.optional(), active: z.boolean().optional() })

export const member = z
  .object({
    id: id('mem'),
    userId: id('usr'),
    email: z.string(),
    name: z.string().nullable(),
    role: builtInRole.meta({ description: 'the built-in role' }),
    customRole: heldRole,
    active: z.boolean(),
    lastSeenAt: instant.nullable().meta({ description: 'last request in this organisation, to some minutes' }),
    deactivatedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Member' })

export const memberChanged = member.extend({
  livingApiKeys: z
    .array(z.object({ id: id('key'), label: z.string(), environment, scopes: z.array(z.enum(scopes)) }))
    .optional()
    .meta({
      description:
        'of somebody who is deactivated: the API keys that they made and that go on working; rotate those whose secret they may have',
    }),
})

export const memberFilters = {
  role: builtInRole.optional().meta({ description: 'the built-in role' }),
  active: z.enum(['true', 'false']).optional(),
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'what words of the name or the address begin with; every one must be found' }),
}
