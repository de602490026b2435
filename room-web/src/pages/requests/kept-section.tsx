import { sizeWords } from '@integrity/protocol/clients/size-words'
import { day, dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { RequestsFacts } from '../../session/requests-api.ts'
import { type RequestsText, requestsLanguages } from '../../texts/requests.ts'
import { useLanguage } from './language.ts'

const dayMs = 86_400_000

/** A type that is younger than this page is shown by its name in the interface. */
const typeText = (type: string): RequestsText | undefined => {
  const name = `type.${type}`
  return Object.hasOwn(requestsLanguages[0].texts, name) ? (name as RequestsText) : undefined
}

const Counts = ({ facts: { collected, eventCount } }: { readonly facts: RequestsFacts }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Facts kind="kept">
      {collected.map(({ evidenceType, objects, sizeBytes }) => {
        const text = typeText(evidenceType)
        const amount = { n: objects, size: sizeWords(sizeBytes, locale) }
        return (
          <Fact key={evidenceType} name={text ? t(text) : evidenceType}>
            {t('keptAmount', amount)}
          </Fact>
        )
      })}
      <Fact name={t('keptEvents')}>{eventCount.toLocaleString(locale)}</Fact>
    </Facts>
  )
}

const UntilWhen = ({ facts: { org, session } }: { readonly facts: RequestsFacts }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { endedAt, retentionDays: days } = session
  if (endedAt === null) return <p>{t('keptDays', { org: org.name, days })}</p>
  return <p>{t('keptUntil', { org: org.name, days, until: day(Date.parse(endedAt) + days * dayMs, locale) })}</p>
}

/** What of the interview is kept at this moment, and until when. */
export const KeptSection = ({ facts }: { readonly facts: RequestsFacts }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, session, collected } = facts
  return (
    <Section title={t('keptTitle')} card>
      {session.erasedAt ? <p>{t('erased', { org: org.name, at: dayAndTime(session.erasedAt, locale) })}</p> : null}
      {collected.length === 0 && !session.erasedAt ? <p>{t('keptNothing')}</p> : null}
      <Counts facts={facts} />
      {session.erasedAt ? null : <UntilWhen facts={facts} />}
      {session.legalHold ? <Notice>{t('hold', { org: org.name })}</Notice> : null}
    </Section>
  )
}
