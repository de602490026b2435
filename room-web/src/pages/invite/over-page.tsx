import { MessagePage } from '@integrity/shared-ui/web/shell'
import type { InviteFacts } from '../../session/invite-api.ts'
import type { InviteText } from '../../texts/invite.ts'
import { useLanguage } from './language.ts'

export const overs = ['accepted', 'revoked', 'expired', 'replaced', 'already_member', 'deactivated'] as const
export type Over = (typeof overs)[number]

/** Where a password is set, beside this page. */
const passwordPage = '../password/'

/** Where people sign in. */
const accountPage = '../account/'

/** An invite that cannot be accepted: why, and what to do. */
export const OverPage = ({ why, invite: { org, email } }: { readonly why: Over; readonly invite: InviteFacts }) => {
  const { t } = useLanguage()
  const name = why === 'already_member' ? 'alreadyMember' : why
  return (
    <MessagePage<InviteText> key={why} title={`${name}Title`} text={`${name}Text`} values={{ org: org.name, email }}>
      {why === 'accepted' || why === 'already_member' ? (
        <p>
          <a href={accountPage}>{t('signIn')}</a> · <a href={passwordPage}>{t('setPassword')}</a>
        </p>
      ) : null}
    </MessagePage>
  )
}
