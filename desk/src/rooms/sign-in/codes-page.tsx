import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import { useLanguage } from './language.ts'

interface Props {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

/** Recovery codes, shown once. */
export const CodesPage = ({ codes, onKept }: Props) => {
  const { t } = useLanguage()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    setCopied(true)
  }
  return (
    <Page key="codes" title={t('codesTitle')}>
      <p>{t('codesText')}</p>
      <ul className="codes" aria-label={t('codesList')}>
        {codes.map((code) => (
          <li key={code}>
            <code className="secret">{code}</code>
          </li>
        ))}
      </ul>
      <p role="status">{copied ? t('copied') : null}</p>
      <Actions>
        {/* There is no clipboard without https. */}
        {navigator.clipboard ? <Button onClick={() => void copy()}>{t('copy')}</Button> : null}
        <Button kind="main" onClick={onKept}>
          {t('kept')}
        </Button>
      </Actions>
    </Page>
  )
}
