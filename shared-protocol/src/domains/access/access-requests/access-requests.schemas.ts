import * as z from 'zod'
import { countryCode } from '../../../core/country.ts'
import { mailAddress } from '../../../core/mail-address.ts'
import { id, instant, oneLine } from '../../../core/primitives.ts'
import { identity } from '../auth/auth.schemas.ts'

/** How long an owner invitation works. */
export const ownerInviteDays = 7
/** An expired one can be renewed so often: once in an hour, and in all. */
export const ownerInviteRenewalSeconds = 3600
export const ownerInviteRenewals = 20
/** So many are sent again by the desk within an hour, for one request. */
export const ownerInviteResendsPerHour = 5
/** Requests with one mail address that are looked at within a day, those for others included. */
export const accessRequestsPerMailbox = 5
/** So many wait to be decided at a time. */
export const accessRequestsWaiting = 2000
/** Words with a request, and to whoever is declined, in characters. */
export const accessRequestTextMax = 2000

export const accessRequestStatuses = ['pending', 'approved', 'declined'] as const
export const ownerInviteStatuses = ['pending', 'accepted', 'expired', 'replaced'] as const

const mailbox = mailAddress.meta({ description: 'an e-mail address; upper and lower case are the same' })

const words = z
  .string()
  .trim()
  .min(1)
  .max(accessRequestTextMax)
  .regex(/^(?:[^\p{Cc}\p{Bidi_C}]|[\n\r\t])*$/u, 'must hold no control characters')

export const accessRequestCreate = z.object({
  organisation: oneLine(200),
  name: oneLine(200),
  email: mailbox,
  country: countryCode,
  sessionsPerMonth: z.number().int().min(0).max(1_000_000).optional(),
  message: words.optional(),
  locale: z.string().max(35).optional().meta({
    description: 'language to be written to in, BCP 47; English where the service does not write that one',
  }),
})

export const accessAvailability = z.object({ open: z.boolean() })
export const accessAccepted = z.object({ accepted: z.literal(true) })

export const accessRequest = z
  .object({
    id: id('acr'),
    organisation: z.string(),
    name: z.string(),
    email: z.string(),
    country: z.string(),
    sessionsPerMonth: z.number().int().nullable(),
    message: z.string().nullable(),
    locale: z.string(),
    status: z.enum(accessRequestStatuses),
    createdAt: instant,
    decidedAt: instant.nullable(),
    decidedBy: z.string().nullable().meta({ description: 'address of the operator' }),
    invitation: z
      .object({
        status: z.enum(ownerInviteStatuses),
        sentAt: instant.meta({ description: 'when the newest link was made' }),
        expiresAt: instant,
        openedAt: instant.nullable().meta({ description: 'when a link was first opened' }),
        acceptedAt: instant.nullable(),
      })
      .nullable(),
    orgId: z.string().nullable().meta({ description: 'the organisation that came of it' }),
  })
  .meta({ id: 'AccessRequest' })

export const accessRequestListQuery = z.object({
  status: z.enum(accessRequestStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'page size, 1 to 100' }),
  cursor: z.string().min(1).max(1000).optional().meta({ description: '`nextCursor` of the page before' }),
})
export const accessRequestPage = z.object({
  items: z.array(accessRequest),
  nextCursor: z.string().nullable().meta({ description: 'null on the last page' }),
})

export const accessDeclineBody = z.object({
  message: words.optional().meta({ description: 'words of your own in the message' }),
})

export const accessInsightsQuery = z
  .object({
    from: instant.optional().meta({ description: 'requests since then; 90 days before `to` unless given' }),
    to: instant.optional().meta({ description: 'requests before then; now unless given' }),
  })
  .refine(({ from, to }) => !from || !to || Date.parse(from) <= Date.parse(to), {
    path: ['from'],
    message: 'must not be after `to`',
  })
export const accessStages = [
  'requested',
  'approved',
  'opened',
  'accepted',
  'first_session',
  'first_live_session',
] as const
export const accessInsights = z
  .object({
    from: instant,
    to: instant,
    funnel: z
      .array(z.object({ stage: z.enum(accessStages), requests: z.number().int() }))
      .meta({ description: 'of the requests of that time, how many have come so far by now' }),
    declined: z.number().int(),
    waiting: z.number().int().meta({ description: 'of them, not decided yet' }),
  })
  .meta({ id: 'AccessInsights' })

const token = z.string().min(1).max(200).meta({ description: 'the token of the link, `own_…`' })

export const ownerInviteBody = z.object({ token })
export const ownerInvite = z
  .object({
    organisation: z.string(),
    email: z.string(),
    name: z.string(),
    status: z.enum(ownerInviteStatuses),
    expiresAt: instant,
    hasAccount: z
      .boolean()
      .meta({ description: 'a link that works belongs to an address with an account, which has to accept it' }),
  })
  .meta({ id: 'OwnerInvite' })

export const ownerInviteAccept = z.object({
  token,
  name: oneLine(200).optional().meta({ description: 'of the person; needed for a new account' }),
  password: z.string().min(1).max(1024).optional().meta({
    description: 'of a new account, or of the one that the address has, unless that one is signed in',
  }),
  slug: z
    .string()
    .min(3)
    .max(40)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'may hold a-z, 0-9 and single hyphens between them')
    .optional()
    .meta({ description: 'made of the name of the organisation unless given' }),
})
export const ownerInviteAccepted = z
  .object({
    org: z.object({ id: id('org'), name: z.string(), slug: z.string(), createdAt: instant }),
    user: identity.shape.user,
    memberships: identity.shape.memberships,
    accessExpiresAt: instant.meta({ description: 'refresh before then' }),
    refreshExpiresAt: instant,
  })
  .meta({ id: 'OwnerInviteAccepted' })
