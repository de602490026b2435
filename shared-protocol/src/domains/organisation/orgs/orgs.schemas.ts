import * as z from 'zod'
import { builtInRole, permission } from '../../../core/permissions.ts'
import { id, instant, oneLine } from '../../../core/primitives.ts'
import { expectedVersion } from '../../../core/seen.ts'
import { contact } from '../branding/branding.schemas.ts'
import { heldRole } from './held-role.schemas.ts'

/** Organisations that one account owns at the same time. */
export const maxOwnedOrgs = 10

export const slug = z
  .string()
  .min(3)
  .max(40)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'may hold a-z and 0-9, with single hyphens between them')

export const org = z.object({ id: id('org'), name: z.string(), slug: z.string(), createdAt: instant })

export const orgCreate = z.object({
  name: oneLine(200),
  slug: slug.optional().meta({ description: 'made of the name where it is left out' }),
})

/** An organisation as one of its members has it. */
export const ownOrg = org
  .extend({
    membershipId: id('mem'),
    role: builtInRole.meta({ description: 'the built-in role of the caller' }),
    customRole: heldRole,
    permissions: z.array(permission).meta({ description: 'what the caller may do there' }),
  })
  .meta({ id: 'OwnOrganisation' })

export const secondFactor = z.object({
  required: z.boolean().meta({ description: 'members without a second factor reach nothing of the organisation' }),
})

/** On what an organisation may rest that it records an interview. */
export const lawfulBases = ['consent', 'contract', 'legal_obligation', 'legitimate_interests', 'public_task'] as const
export type LawfulBasis = (typeof lawfulBases)[number]

/** What candidates read of who answers for their data, in the consent document and on the invitation. */
export const dataProtection = z.object({
  controller: oneLine(300).optional().meta({ description: 'who is responsible for the data, with an address' }),
  lawfulBasis: z.enum(lawfulBases).optional(),
  contact: contact.optional().meta({
    description: 'where to ask about data or to complain: an e-mail address or an https address',
  }),
  alternative: oneLine(500).optional().meta({
    description: 'what is offered to whoever does not want to be recorded, in words of your own',
  }),
})
export type DataProtection = z.output<typeof dataProtection>

/** Settings of an organisation as they are kept: each time they are set makes a version. */
const kept = {
  version: z.number().int().min(0).meta({ description: 'one more each time; 0 where nothing was ever set' }),
  updatedAt: instant.nullable().meta({ description: 'null where nothing was ever set' }),
}

export const dataProtectionSet = dataProtection.extend(kept).meta({ id: 'DataProtection' })
export const dataProtectionBody = dataProtection.extend({ expectedVersion })

/** What reviewers are shown beside what rules found. */
export const reviewSettings = z.object({
  baseRates: z.boolean().meta({
    description: 'false leaves out, of every policy, in how many interviews a rule found something',
  }),
})
export type ReviewSettings = z.output<typeof reviewSettings>
export const reviewSettingsSet = reviewSettings.extend(kept).meta({ id: 'ReviewSettings' })
export const reviewSettingsBody = reviewSettings.extend({ expectedVersion })

const count = z.number().int().min(0)
export const orgDetail = org
  .extend({
    plan: z.literal('self_hosted'),
    members: z.object({ active: count, inactive: count }),
    sso: z.object({ required: z.boolean() }),
    secondFactor,
    dataProtection: dataProtectionSet,
    review: reviewSettingsSet,
    legalHold: z.boolean(),
  })
  .meta({ id: 'OrganisationDetail' })
