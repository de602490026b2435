import type { InviteFacts } from '../../session/invite-api.ts'
import { Page } from '../../ui/shell.tsx'
import { useLanguage } from './language.ts'

export const overs = ['accepted', 'revoked', 'expired', 'replaced', 'already_member', 'deactivated'] as const
export type Over = (typeof overs)[number]

/** Where a password is set, beside this page. */
const passwordPage = '../password/'

/** An invite that cannot be accepted: why, and what to do. */
export const OverPage = ({ why, invite: { org, email } }: { readonly why: Over; readonly invite: InviteFacts }) => {
  const { t } = useLanguage()
  const name = why === 'already_member' ? 'alreadyMember' : why
  return (
    <Page key={why} title={t(`${name}Title`)}>
      <p>{t(`${name}Text`, { org: org.name, email })}</p>
      {why === 'accepted' || why === 'already_member' ? (
        <p>
          <a href={passwordPage}>{t('setPassword')}</a>
        </p>
      ) : null}
    </Page>
  )
}
