import type { CredentialEnding } from '@integrity/protocol'
import type { ApiProblem } from '@integrity/protocol/clients/api-problem'

/** Why a link that was sent by e-mail opens nothing; `wrong`: the service never gave it out. */
export type LinkOver = 'wrong' | 'expired' | 'replaced' | 'revoked' | 'declined'

const endings: Readonly<Partial<Record<CredentialEnding, LinkOver>>> = {
  expired: 'expired',
  replaced: 'replaced',
  revoked: 'revoked',
  declined: 'declined',
}

/** What the refusal of a request says about the link itself; undefined when the link is not what is at fault. */
export const linkOverOf = ({ kind, refusal: { reason } }: ApiProblem): LinkOver | undefined =>
  kind === 'unauthorized' ? ((reason && endings[reason]) ?? 'wrong') : undefined
