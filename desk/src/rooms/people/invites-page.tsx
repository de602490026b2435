import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { InviteForm } from './invite-form.tsx'
import { type Invite, peopleAt } from './people.ts'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'

const InviteRow = ({ invite }: { readonly invite: Invite }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, own } = useDesk()
  const acting = useAttempt('portal.invites.list')
  const { id, email, role, customRole, status, delivery, expiresAt } = invite
  const params = { orgId: org.id, inviteId: id }
  const facts = [
    customRole?.name ?? t(`role.${role}`),
    t(`peopleInvite.${status}`),
    status === 'pending' ? t(`peopleDelivery.${delivery}`) : null,
    status === 'pending' ? t('peopleExpires', { at: shortTime(expiresAt, locale) }) : null,
  ]
  const resend = async () => {
    await own.call('portal.invites.resend', { params })
    return t('peopleResent', { email })
  }
  const revoke = async () => {
    await own.call('portal.invites.revoke', { params })
    return t('peopleRevoked', { email })
  }
  return (
    <li>
      <p>
        <strong dir="ltr">{email}</strong>
        <br />
        <span className="small">{facts.filter(Boolean).join(' · ')}</span>
      </p>
      <Outcome of={acting} />
      {status === 'pending' ? (
        <Actions>
          <Button busy={acting.busy} aria-label={t('peopleResendTo', { email })} onClick={() => acting.attempt(resend)}>
            {t('peopleResend')}
          </Button>
          <ConfirmButton
            label={t('peopleRevoke')}
            longLabel={t('peopleRevokeOf', { email })}
            title={t('peopleRevokeOf', { email })}
            confirm={t('peopleRevoke')}
            confirmKind="stop"
            cancel={t('cancel')}
            busy={acting.busy}
            onConfirm={() => acting.attempt(revoke)}
          >
            <p>{t('peopleRevokeText')}</p>
          </ConfirmButton>
        </Actions>
      ) : null}
    </li>
  )
}

/** Who was invited, what came of it, and where one more is. */
export const InvitesPage = inPeopleLanguage(function Invites({ query }: { readonly query: ListQuery }) {
  const { t } = useLanguage()
  const { org } = useDesk()
  const { cursor } = query
  const invites = useEndpoint('portal.invites.list', {
    params: { orgId: org.id },
    query: { limit: 50, ...(cursor ? { cursor } : {}) },
  })
  return (
    <Page title={t('peopleInvitesSection')} wide>
      <Section title={t('peopleInvite')}>
        <p>{t('peopleInviteText')}</p>
        <InviteForm />
      </Section>
      <Section title={t('peopleInvitesSent')}>
        <Loaded question={invites}>
          {({ items, total, nextCursor }) =>
            total === 0 ? (
              <p>{t('peopleNoInvites')}</p>
            ) : (
              <>
                <ul className="plain people">
                  {items.map((invite) => (
                    <InviteRow key={invite.id} invite={invite} />
                  ))}
                </ul>
                <Pager
                  shown={items.length}
                  total={total}
                  first={cursor === undefined ? undefined : peopleAt(org, 'invites')}
                  next={nextCursor === null ? undefined : peopleAt(org, 'invites', undefined, { cursor: nextCursor })}
                />
              </>
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
})
