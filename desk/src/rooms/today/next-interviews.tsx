import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { SessionItem } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { nextOf } from './next.ts'

const Row = ({ session: { id, candidateLabel, externalId, schedule, sandbox } }: { readonly session: SessionItem }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  return (
    <li>
      <Link to={{ room: 'interview', org: org.slug, id }}>
        <bdi>{candidateLabel ?? t('unnamed')}</bdi>
      </Link>
      <span className="small">
        {[schedule ? shortTime(schedule.startsAt, locale) : null, externalId, sandbox ? t('isSandbox') : null]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  )
}

/** The service sorts by when something was made, so that the next appointments are found among the newest. */
const looked = 100

export const NextInterviews = () => {
  const { t } = useLanguage()
  const { org, now } = useDesk()
  const query = { state: 'scheduled', limit: looked } as const
  const scheduled = useEndpoint('portal.sessions.list', { params: { orgId: org.id }, query })
  return (
    <Section title={t('nextInterviews')}>
      <Loaded question={scheduled}>
        {({ items, total }) => {
          const next = nextOf(items, now())
          return (
            <>
              {next.length === 0 ? <p>{t('noneNext')}</p> : null}
              <ul className="plain rows">
                {next.map((session) => (
                  <Row key={session.id} session={session} />
                ))}
              </ul>
              {total > items.length ? <p className="small">{t('nextOfNewest', { count: items.length })}</p> : null}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
