import { languages } from '@integrity/protocol/texts/languages'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useId, useState } from 'react'
import { ConsentWords } from '../../parts/consent-words.tsx'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

interface Props {
  /** Of the session. */
  readonly id: string
}

const Document = ({ id }: Props) => {
  const { t, language } = useLanguage()
  const { org } = useDesk()
  const [locale, setLocale] = useState(language.code)
  const document = useEndpoint('portal.sessions.consentPreview', { params: { orgId: org.id, id }, query: { locale } })
  return (
    <>
      <SelectField
        label={t('interviewReadsLanguage')}
        value={locale}
        options={languages.map(({ code, name }) => ({ id: code, label: name }))}
        onChange={setLocale}
      />
      <Loaded question={document}>{(found) => <ConsentWords document={found} />}</Loaded>
    </>
  )
}

/** The consent document in the language in which the candidate reads it. */
export const ConsentSection = ({ id }: Props) => {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  const part = useId()
  return (
    <Section title={t('interviewReads')}>
      <p>{t('interviewReadsText')}</p>
      <Actions>
        <Button aria-expanded={open} aria-controls={part} onClick={() => setOpen(!open)}>
          {t('interviewReadsShow')}
        </Button>
      </Actions>
      <div id={part}>{open ? <Document id={id} /> : null}</div>
    </Section>
  )
}
