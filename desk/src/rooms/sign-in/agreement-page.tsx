import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import type { OpenAccount } from '../../browser/open-account.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly open: OpenAccount
  readonly email: string
}

/** Where a sign-in counts in one organisation alone, and how the account agrees to more. */
export const AgreementPage = ({ open: { own, visit, agreement }, email }: Props) => {
  const { t } = useLanguage()
  const [isSent, setIsSent] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  // As the page was opened: it says the same while it sends, and after what failed.
  const [token] = useState(agreement.token)
  const hasLink = token !== undefined
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    send(async () => {
      if (token === undefined) {
        await own.call('sso.agreeLink')
        return setIsSent(true)
      }
      await own.call('sso.agree', { body: { token } })
      agreement.drop()
      await visit.refresh()
    })
  }
  const leave = () => {
    agreement.drop()
    void (hasLink ? visit.refresh() : own.call('auth.logout').then(() => visit.refresh())).catch(() => undefined)
  }
  return (
    <Page key="agreement" title={t('agreementTitle')}>
      <p>{t('signedInAs', { email })}</p>
      <p>{t(hasLink ? 'agreementAsked' : 'agreementNeeded')}</p>
      {isSent && <Notice>{t('agreementSent')}</Notice>}
      <form noValidate onSubmit={submit}>
        <SendProblemNotice problem={problem} />
        <Actions>
          <Button type="submit" kind="main" busy={busy}>
            {t(busy ? 'sending' : hasLink ? 'agreementGive' : 'agreementSend')}
          </Button>
          <Button onClick={leave}>{t(hasLink ? 'notNow' : 'signOut')}</Button>
        </Actions>
      </form>
    </Page>
  )
}
