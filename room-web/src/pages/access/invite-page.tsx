import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page, MessagePage as SharedMessagePage } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { OpenedOrg } from '../../session/access-api.ts'
import type { AccessText } from '../../texts/access.ts'
import { AcceptForm, type InviteProps } from './accept-form.tsx'
import { useLanguage } from './language.ts'

const MessagePage = SharedMessagePage<AccessText>

/** Where people sign in and see to how, beside this page. */
const accountPage = '../account/'

const Renew = ({ call, token, onSent }: Omit<InviteProps, 'facts'> & { readonly onSent: () => void }) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const renew = () =>
    send(async () => {
      await call.ask('ownerInvites.renew', { token })
      onSent()
    })
  return (
    <>
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button kind="main" busy={busy} onClick={renew}>
          {t(busy ? 'sending' : 'renew')}
        </Button>
      </Actions>
    </>
  )
}

/** A link that does not work any more: why, and how to get another. */
const OverPage = ({ status, ...props }: InviteProps & { readonly status: 'expired' | 'replaced' | 'accepted' }) => {
  const { t } = useLanguage()
  const [sent, setSent] = useState(false)
  if (sent) return <MessagePage key="renewed" title="renewedTitle" text="renewed" sign="done" />
  return (
    <MessagePage key={status} title={`${status}Title`} text={`${status}Text`}>
      {status === 'accepted' ? (
        <p>
          <a href={accountPage}>{t('signIn')}</a>
        </p>
      ) : (
        <Renew {...props} onSent={() => setSent(true)} />
      )}
    </MessagePage>
  )
}

/** The invitation to a first owner, until the organisation is open. */
export const InvitePage = (props: InviteProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { facts } = props
  const [opened, setOpened] = useState<OpenedOrg>()
  const [over, setOver] = useState<'expired' | 'replaced' | 'accepted'>()
  if (opened)
    return (
      <Page key="opened" title={t('openedTitle', { organisation: opened.org.name })} sign="done">
        <p>{t('openedText', { email: opened.user.email })}</p>
        <p>{t('openedSlug', { slug: opened.org.slug })}</p>
        <p>
          <a href={`../desk/${opened.org.slug}/`}>{t('toDesk')}</a>
        </p>
        <p>
          <a href={accountPage}>{t('toAccount')}</a>
        </p>
      </Page>
    )
  const status = over ?? facts.status
  if (status !== 'pending') return <OverPage {...props} status={status} />
  const { organisation, email, expiresAt } = facts
  return (
    <Page key="pending" title={t('title', { organisation })}>
      <p>{t('invited', { email, until: dayAndTime(expiresAt, locale) })}</p>
      <AcceptForm {...props} onOpened={setOpened} onOver={setOver} />
    </Page>
  )
}
