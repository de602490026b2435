import * as z from 'zod'
import { mailAddress } from '../../../core/mail-address.ts'
import { builtInRole } from '../../../core/permissions.ts'
import { deleted, id, instant } from '../../../core/primitives.ts'
import { orgBrand } from '../../interviews/sessions/sessions.schemas.ts'
import { heldRole } from '../../organisation/orgs/held-role.schemas.ts'
import { signedIn } from '../auth/auth.schemas.ts'
import { member, personName } from '../members/members.schemas.ts'

/** How long the link of an invite works. */
export const inviteDays = 7
/** Invites of an organisation that wait for an answer at a time. */
export const maxPendingInvites = 1000
/** Messages about memberships that one address is sent within an hour, from all organisations together. */
export const mailsPerMailbox = 5
/** Messages about interviews, the same: a candidate may be invited to several on one day. */
export const candidateMailsPerMailbox = 20
/** Messages of both kinds that the members of an organisation have sent within an hour. */
export const mailsPerOrg = 500

/** `expired` is a pending one whose link is too old; only a pending one can be sent again or revoked. */
export const inviteStatuses = ['pending', 'accepted', 'revoked', 'expired'] as const
/** What a link can be that is not the newest of its invite. */
export const inviteLinkStatuses = [...inviteStatuses, 'replaced'] as const

const words = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .regex(/^(?:[^\p{Cc}\p{Bidi_C}]|[\n\r\t])*$/u, 'must hold no control characters')

export const inviteCreate = z.object({
  email: mailAddress,
  role: builtInRole,
  customRoleId: id('rol')
    .optional()
    .meta({ description: "takes the place of the built-in role's permissions; asks for role.manage too" }),
  message: words.optional().meta({ description: 'words of your own in the message' }),
  locale: z.string().max(35).optional().meta({ description: 'language of the message, BCP 47; English otherwise' }),
})

export const invite = z
  .object({
    id: id('inv'),
    email: z.string(),
    role: builtInRole.meta({ description: 'the built-in role' }),
    customRole: heldRole,
    status: z.enum(inviteStatuses),
    delivery: z.enum(['queued', 'sent', 'refused']).meta({
      description:
        'whether the newest message has been handed to the mail server; refused for good, as an address is that does not exist: revoke, and invite the right one',
    }),
    invitedBy: id('usr'),
    message: z.string().nullable(),
    createdAt: instant,
    sentAt: instant.nullable().meta({ description: 'when the newest message was handed over' }),
    expiresAt: instant.meta({ description: 'when the newest link ends' }),
    acceptedAt: instant.nullable(),
    revokedAt: instant.nullable(),
    membershipId: id('mem').nullable().meta({ description: 'what came of it' }),
  })
  .meta({ id: 'Invite' })

export const inviteFilters = { status: z.enum(inviteStatuses).optional() }
export const inviteRevoked = deleted.extend({ revokedAt: instant })

const token = z.string().min(1).max(200).meta({ description: 'the token of the link, `inv_…`' })

export const inviteInspect = z.object({ token })
export const inviteFacts = z
  .object({
    org: orgBrand,
    email: z.string(),
    role: builtInRole,
    customRole: z.object({ name: z.string() }).nullable(),
    message: z.string().nullable(),
    status: z.enum(inviteLinkStatuses),
    expiresAt: instant,
    hasAccount: z
      .boolean()
      .meta({ description: 'a link that works belongs to an address with an account, which has to accept it' }),
  })
  .meta({ id: 'InviteFacts' })

export const inviteAccept = z.object({
  token,
  name: personName.optional().meta({ description: 'of the person; needed for a new account' }),
  password: z.string().min(1).max(1024).optional().meta({
    description: 'of a new account, or of the one that the address has, unless that one is signed in',
  }),
})
export const inviteAccepted = z
  .object({
    org: z.object({ id: id('org'), name: z.string(), slug: z.string() }),
    membership: member,
    user: signedIn.shape.user,
    accessExpiresAt: signedIn.shape.accessExpiresAt,
    refreshExpiresAt: signedIn.shape.refreshExpiresAt,
    lacksSecondFactor: z.boolean().meta({
      description:
        'the organisation requires a second factor and the account has none: other requests for the organisation answer 403 with the `reason` `second_factor_required` until one was added',
    }),
  })
  .meta({ id: 'InviteAccepted' })
