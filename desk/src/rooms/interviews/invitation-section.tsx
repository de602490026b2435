import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { DisclosedForm } from '../../parts/disclosed-form.tsx'
import { useLanguage } from '../../parts/language.ts'
import { shortTime } from '../../parts/spans.ts'
import { useWrite } from '../../parts/use-write.ts'
import { changedByPlan, type Invitation, type Scheduling, type Session } from './interview-types.ts'
import { InviteForm } from './invite-form.tsx'

/** How an invitation stands, in words. */
const useStanding = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  return ({
    status,
    delivery,
    sentAt,
    openedAt,
    ticketAt,
    declinedAt,
    revokedAt,
    expiresAt,
    invitedBy,
  }: Invitation) => {
    const time = (at: string | null) => ({ at: at === null ? '' : shortTime(at, locale) })
    const ends = { live: null, declined: declinedAt, revoked: revokedAt, expired: expiresAt }
    return [
      t(`interviewInvitation.${status}`, time(ends[status])),
      t(`interviewDelivery.${delivery}`, time(sentAt)),
      openedAt === null ? t('interviewNotOpened') : t('interviewOpened', time(openedAt)),
      ticketAt === null ? null : t('interviewCodeTaken', time(ticketAt)),
      status === 'live' ? t('interviewValidUntil', time(expiresAt)) : null,
      invitedBy.label === null ? null : t('interviewInvitedBy', { name: invitedBy.label }),
    ]
      .filter((part) => part !== null)
      .join(' · ')
  }
}

const Acts = ({ id, invitation }: { readonly id: string; readonly invitation: Invitation }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite(...changedByPlan)
  const input = { params: { orgId: org.id, id, invitationId: invitation.id }, body: {} }
  return (
    <>
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      <Actions>
        <Button busy={busy} onClick={() => write(() => own.call('portal.invitations.resend', input))}>
          {t('interviewResend')}
        </Button>
        <ConfirmButton
          label={t('interviewRevoke')}
          title={t('interviewRevokeTitle')}
          confirm={t('interviewRevokeYes')}
          confirmKind="stop"
          cancel={t('interviewGoBack')}
          busy={busy}
          onConfirm={() => write(() => own.call('portal.invitations.revoke', input))}
        >
          <p>{t('interviewRevokeText')}</p>
        </ConfirmButton>
      </Actions>
    </>
  )
}

const Invite = ({ session }: { readonly session: Session }) => {
  const { t } = useLanguage()
  return (
    <DisclosedForm label={t('interviewInvite')}>
      {(close) => <InviteForm session={session} onDone={close} />}
    </DisclosedForm>
  )
}

/** Who was invited, what came of it, and the next invitation. */
export const InvitationSection = ({
  session,
  scheduling: { invitations },
}: {
  readonly session: Session
  readonly scheduling: Scheduling
}) => {
  const { t } = useLanguage()
  const standing = useStanding()
  const manages = useMay('session.manage')
  const mayInvite = manages && session.state !== 'ended' && session.erasedAt === null
  const hasLive = invitations.some(({ status }) => status === 'live')
  return (
    <Section title={t('interviewInvitations')}>
      {invitations.length === 0 ? <p>{t('interviewNoInvitation')}</p> : null}
      <ul className="plain">
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <p>
              <bdi dir="ltr">{invitation.email || t('interviewAddressErased')}</bdi>
              <br />
              <span className="small" role="status">
                {standing(invitation)}
              </span>
            </p>
            {mayInvite && invitation.status === 'live' ? <Acts id={session.id} invitation={invitation} /> : null}
          </li>
        ))}
      </ul>

      {mayInvite && !hasLive ? <Invite session={session} /> : null}
    </Section>
  )
}
