import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ExactField, focusField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import { isWrong } from '../../data/account-api.ts'
import { QrCode } from '../../parts/qr-code.tsx'
import { useLanguage } from './language.ts'

interface Props {
  readonly secret: string
  readonly uri: string
  readonly onCode: (code: string) => Promise<void>
  readonly onCancel: () => void
}

/** The secret for an authenticator app, shown until one of its codes has come. */
export const AppPage = ({ secret, uri, onCode, onCancel }: Props) => {
  const { t } = useLanguage()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: () => false })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setWrong(false)
    send(async () => {
      try {
        await onCode(code)
      } catch (error) {
        if (!isWrong(error)) throw error
        setWrong(true)
        focusField(form, 'code')
      }
    })
  }
  return (
    <Page key="app" title={t('appTitle')}>
      <p>{t('appScan')}</p>
      <QrCode text={uri} label={t('appPicture')} />
      <p>
        {t('secret')}: <code className="secret">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <p>{t('appCode')}</p>
      <form noValidate onSubmit={submit}>
        <ExactField
          name="code"
          value={code}
          onChange={setCode}
          label={t('code')}
          help={t('codeHelp')}
          error={wrong ? t('codeWrong') : undefined}
          maxLength={16}
        />
        <SendProblemNotice problem={problem} />
        <Actions>
          <Button type="submit" kind="main" busy={busy}>
            {t(busy ? 'sending' : 'confirm')}
          </Button>
          <Button onClick={onCancel}>{t('notNow')}</Button>
        </Actions>
      </form>
    </Page>
  )
}
