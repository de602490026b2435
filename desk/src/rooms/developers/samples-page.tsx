import { PasswordField } from '@integrity/shared-ui/web/fields'
import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import { useLanguage } from '../../parts/language.ts'
import { SampleView } from './sample-view.tsx'

/** Programs to begin with. A key that is pasted here is filled in, is sent nowhere and is gone with the page. */
export const SamplesPage = () => {
  const { t } = useLanguage()
  const [key, setKey] = useState('')
  return (
    <Page title={t('developersSamples')} wide>
      <p>{t('developersSamplesText')}</p>
      <PasswordField
        isSecret
        name="key"
        label={t('developersPaste')}
        help={t('developersPasteHelp')}
        isNew={false}
        value={key}
        onChange={setKey}
        optional
      />
      <SampleView apiKey={key.trim()} />
    </Page>
  )
}
