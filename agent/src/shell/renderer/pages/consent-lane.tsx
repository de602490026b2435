import { DocumentWords } from '@integrity/shared-ui/web/document-words'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { useLanguage } from '../components/language.tsx'
import { useOrg } from '../components/use-org.ts'
import type { ConsentView, DocumentLane } from '../state/consent-answers.ts'
import { howOften } from '../state/lane-facts.ts'

type Document = ConsentView['document']

interface Told {
  readonly entry: DocumentLane
  readonly view: Pick<ConsentView, 'document' | 'config'>
}

/** Retention and readers, which are the same for every lane. */
export const SharedFacts = ({ document }: { readonly document: Document }) => {
  const { t } = useLanguage()
  const org = useOrg()
  return (
    <Facts kind="terms">
      <Fact name={t('consentKept')}>{t('consentKeptText', { org, days: document.retentionDays })}</Fact>
      <Fact name={t('consentReaders')}>{t('consentReadersText', { org })}</Fact>
    </Facts>
  )
}

/** One part in full: the service's words, why, how often. */
export const PartDetails = ({ entry, view: { document, config } }: Told) => {
  const { t } = useLanguage()
  const often = howOften(entry.lane, config).map(({ key, n = 0 }) => t(key, { n }))
  return (
    <>
      <DocumentWords locale={document.locale} title={entry.title} text={entry.text} />
      <Facts kind="terms">
        <Fact name={t('consentWhy')}>{t(`why.${entry.lane}`)}</Fact>
        <Fact name={t('consentOften')}>{often.join(' ')}</Fact>
      </Facts>
    </>
  )
}
