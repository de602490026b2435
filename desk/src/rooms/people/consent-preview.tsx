import { ConsentTable } from '@integrity/shared-ui/web/consent-table'
import { DocumentWords } from '@integrity/shared-ui/web/document-words'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useEffect, useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { deskLanguages } from '../../words/desk.ts'
import { useLanguage } from './people-language.tsx'
import { type ConfigWords, configOf } from './policy-config.ts'

type Document = ReadResult<'portal.policies.consentPreview'>
type Part = Document['lanes'][number]

/** The service's own document, as a candidate reads it. */
const DocumentTable = ({ document }: { readonly document: Document }) => {
  const { t } = useLanguage()
  if (document.lanes.length === 0) return <p>{t('peopleAsksNothing')}</p>
  return (
    <>
      <ConsentTable<Part['lane']>
        key={document.locale}
        caption={t('peopleConsentTitle')}
        parts={document.lanes}
        nameOf={({ title }) => title}
        opened={document.lanes.map(({ lane }) => lane)}
        details={({ title, text }) => <DocumentWords locale={document.locale} title={title} text={text} />}
      />
      <p>{t('peopleConsentDays', { n: document.retentionDays })}</p>
    </>
  )
}

const LanguageChoice = ({ value, onChange }: { value: string; onChange: (code: string) => void }) => {
  const { t } = useLanguage()
  const options = deskLanguages.map(({ code, name }) => ({ id: code, label: name }))
  return <SelectField label={t('peopleConsentLanguage')} value={value} options={options} onChange={onChange} />
}

/** What the candidates of a saved policy read. */
export const PolicyPreview = ({ policyId }: { readonly policyId: string }) => {
  const { org } = useDesk()
  const { language } = useLanguage()
  const [locale, setLocale] = useState(language.code)
  const params = { orgId: org.id, policyId }
  const document = useEndpoint('portal.policies.consentPreview', { params, query: { locale } })
  return (
    <>
      <LanguageChoice value={locale} onChange={setLocale} />
      <Loaded question={document}>{(found) => <DocumentTable document={found} />}</Loaded>
    </>
  )
}

/** So long after the last key the draft is sent, milliseconds. */
const restMs = 300

/** The same of one that is being written, while it is written. What the service cannot read leaves the document before. */
export const DraftPreview = ({ words }: { readonly words: ConfigWords }) => {
  const { own, org } = useDesk()
  const { t, language } = useLanguage()
  const [locale, setLocale] = useState(language.code)
  const [document, setDocument] = useState<Document>()
  useEffect(() => {
    let over = false
    const ask = async () => {
      const body = { config: configOf(words), locale }
      const { data } = await own.call('portal.policies.consentPreview.draft', { params: { orgId: org.id }, body })
      if (!over) setDocument(data)
    }
    const timer = setTimeout(() => void ask().catch(() => undefined), restMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [own, org.id, words, locale])
  return (
    <>
      <LanguageChoice value={locale} onChange={setLocale} />
      {document ? <DocumentTable document={document} /> : <p role="status">{t('loading')}</p>}
    </>
  )
}
