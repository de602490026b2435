import { accessStages } from '@integrity/protocol'
import type { IssuedTokens } from '../../../kernel/sign-ins.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { signedInView } from '../auth/auth.view.ts'
import type { FoundedOrg } from './accepting.service.ts'
import type { readFunnel } from './access-insights.service.ts'
import type { DeskRequest } from './desk.service.ts'
import { type inspectInvite, inviteStatusOf } from './owner-invites.service.ts'

/** The request as operators see it. */
export const deskRequestView = ({ request, invite }: DeskRequest, now: number) => {
  const { createdAt, decidedAt, openedAt, acceptedAt, declineMessage: _, ...shown } = request
  return {
    ...shown,
    createdAt: iso(createdAt),
    decidedAt: isoOrNull(decidedAt),
    invitation: invite
      ? {
          status: inviteStatusOf(request, { invite, now }),
          sentAt: iso(invite.createdAt),
          expiresAt: iso(invite.expiresAt),
          openedAt: isoOrNull(openedAt),
          acceptedAt: isoOrNull(acceptedAt),
        }
      : null,
  }
}

/** The owner invitation as the holder of its link sees it. */
export const ownerInviteView = ({ invite, request, ...found }: Awaited<ReturnType<typeof inspectInvite>>) => {
  const { organisation, email, name } = request
  return { organisation, email, name, expiresAt: iso(invite.expiresAt), ...found }
}

export const acceptedView = (
  { id, name, slug, createdAt }: FoundedOrg,
  identity: Parameters<typeof signedInView>[0],
  tokens: IssuedTokens,
) => ({ org: { id, name, slug, createdAt: iso(createdAt) }, ...signedInView(identity, tokens) })

export const insightsView = ({ from, to, stages, ...counts }: Awaited<ReturnType<typeof readFunnel>>) => ({
  from: iso(from),
  to: iso(to),
  funnel: accessStages.map((stage) => ({ stage, requests: stages[stage] })),
  ...counts,
})
