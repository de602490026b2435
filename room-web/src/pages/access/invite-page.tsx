import { useState } from 'react'
import { useLocale } from '../../components/link-language.ts'
import { SendProblemNotice } from '../../components/send-problem.tsx'
import { useSending } from '../../components/use-sending.ts'
import type { OpenedOrg } from '../../session/access-api.ts'
import { dayAndTime } from '../../session/appointment-times.ts'
import { Actions, Button } from '../../ui/button.tsx'
import { Page } from '../../ui/shell.tsx'
import { AcceptForm, type InviteProps } from './accept-form.tsx'
import { useLanguage } from './language.ts'

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
  if (sent)
    return (
      <Page key="renewed" title={t('renewedTitle')}>
        <p>{t('renewed')}</p>
      </Page>
    )
  return (
    <Page key={status} title={t(`${status}Title`)}>
      <p>{t(`${status}Text`)}</p>
      {status === 'accepted' ? null : <Renew {...props} onSent={() => setSent(true)} />}
    </Page>
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
      <Page key="opened" title={t('openedTitle', { organisation: opened.org.name })}>
        <p>{t('openedText', { email: opened.user.email })}</p>
        <p>{t('openedSlug', { slug: opened.org.slug })}</p>
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
