import { Actions, Button } from '@integrity/shared-ui/web/button'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Page, Shell } from '@integrity/shared-ui/web/shell'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import { Welcome } from '@integrity/shared-ui/web/welcome'
import { type PhoneText, phoneLanguages } from '../../texts/preview-phone.ts'
import { InLanguage } from './in-language.tsx'
import type { PreviewProps } from './preview-props.ts'

const useLanguage: () => Spoken<PhoneText> = useSpoken

const Screen = ({ shown: { document }, brand }: PreviewProps) => {
  const { t } = useLanguage()
  const who = { org: brand.name, days: document.retentionDays }
  return (
    <Page title={t('consentTitle')}>
      <p>{t('consentWhoUndated', who)}</p>
      <Welcome brand={brand} />
      <h2>{t('consentKept')}</h2>
      <p>{t('consentKeptText', who)}</p>
      <h2>{t('consentReaders')}</h2>
      <p>{t('consentReadersText', who)}</p>
      <p>
        {t('consentOptional')} {t('consentStop')}
      </p>
      <Actions>
        <Button>{t('consentAgree')}</Button>
        <Button>{t('consentDecline')}</Button>
      </Actions>
    </Page>
  )
}

/** The question of the phone in its own words and colours; the phone itself draws it with the parts of phones. */
export const PhonePreview = (props: PreviewProps) => (
  <InLanguage languages={phoneLanguages} code={props.shown.language}>
    <Shell name={props.brand.name} brand={props.brand} footer={<HelpLine contact={props.brand.contact} />}>
      <Screen {...props} />
    </Shell>
  </InLanguage>
)
