import { Section } from '@integrity/shared-ui/web/section'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

const days = 7

/** What has to be deleted soon. Nothing is, before somebody says so. */
export const DueDeletions = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const due = useEndpoint('portal.retention.preview', { params: { orgId: org.id }, query: { days, limit: 1 } })
  const to = { room: 'organisation', org: org.slug, section: 'retention', query: { days: String(days) } } as const
  return (
    <Section title={t('dueDeletions')}>
      <Loaded question={due}>
        {({ totals: { sessions, held } }) =>
          sessions + held.sessions === 0 ? (
            <p>{t('noneDueDeletions', { days })}</p>
          ) : (
            <p>
              {t('dueDeletionsSum', { sessions, held: held.sessions, days })}{' '}
              <Link to={to}>{t('dueDeletionsOpen')}</Link>
            </p>
          )
        }
      </Loaded>
    </Section>
  )
}
