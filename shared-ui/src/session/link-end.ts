import type { IntegrityError } from '@integrity/client/errors'
import type { CredentialEnding } from '@integrity/protocol'

/** Why a link that was sent by e-mail opens nothing; `wrong`: the service never gave it out. */
export type LinkOver = 'wrong' | 'expired' | 'replaced' | 'revoked' | 'declined'

const endings: Readonly<Partial<Record<CredentialEnding, LinkOver>>> = {
  expired: 'expired',
  replaced: 'replaced',
  revoked: 'revoked',
  declined: 'declined',
}

/** What the refusal of a request says about the link itself; undefined when the link is not what is at fault. */
export const linkOverOf = ({ kind, extra: { reason } }: IntegrityError): LinkOver | undefined =>
  kind === 'unauthorized' ? (endings[reason as CredentialEnding] ?? 'wrong') : undefined
