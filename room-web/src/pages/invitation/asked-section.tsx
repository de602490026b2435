import { Section } from '@integrity/shared-ui/web/section'
import type { InvitationFacts } from '../../session/invitation-api.ts'
import { useLanguage } from './language.ts'

/** What the application will ask for, to be read beforehand. Nothing is agreed to here. */
export const AskedSection = ({ facts }: { readonly facts: InvitationFacts }) => {
  const { t, language } = useLanguage()
  const { consentDocument: document, org } = facts
  if (document.lanes.length === 0)
    return (
      <Section title={t('askedTitle')}>
        <p>{t('askedNothing')}</p>
      </Section>
    )
  return (
    <Section title={t('askedTitle')}>
      <p>{t('askedText')}</p>
      <details className="asked">
        <summary>{t('askedRead')}</summary>
        {document.lanes.map(({ lane, title, text, required }) => (
          <div key={lane}>
            <div lang={document.locale}>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
            <p className="small">{t(required ? 'askedRequired' : 'askedOptional')}</p>
          </div>
        ))}
        {document.locale === language.code ? null : <p className="small">{t('askedLanguage')}</p>}
      </details>
      <div lang={document.locale}>
        {document.notice?.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <p>{t('askedKept', { org: org.name, days: document.retentionDays })}</p>
    </Section>
  )
}
