import type { ReadResult } from '../data/desk-api.ts'
import { useLanguage } from './language.ts'

/** The consent document as the service made it, in the language of the candidate. */
export const ConsentWords = ({
  document: { lanes, retentionDays, locale },
}: {
  readonly document: ReadResult<'portal.policies.consentPreview'>
}) => {
  const { t } = useLanguage()
  return (
    <>
      <ul className="plain">
        {lanes.map(({ lane, required, title, text }) => (
          <li key={lane}>
            <p>
              <strong lang={locale}>{title}</strong>{' '}
              <span className="small">{t(required ? 'interviewReadsNeeded' : 'interviewReadsChoice')}</span>
            </p>
            <p lang={locale}>{text}</p>
          </li>
        ))}
      </ul>
      <p>{t('interviewReadsKept', { days: retentionDays })}</p>
    </>
  )
}
