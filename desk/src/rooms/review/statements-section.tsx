import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { Report } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime } from '../../parts/spans.ts'

/** What the candidate wrote, before anything else is read. */
export const StatementsSection = ({ statements }: Pick<Report, 'statements'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('statementsTitle')}>
      {statements.length === 0 ? <p>{t('statementsNone')}</p> : null}
      {statements.map(({ at, text, readAt, moment }) => (
        <blockquote key={`${at} ${moment?.id}`} className="written">
          <p>{text ?? t('statementErased')}</p>
          <footer>
            {dayAndTime(at, locale)}
            {moment ? ` · ${t('statementAbout', { at: clockTime(moment.at, locale) })}` : null}
            {readAt === null ? ` · ${t('statementUnread')}` : null}
          </footer>
        </blockquote>
      ))}
    </Section>
  )
}
