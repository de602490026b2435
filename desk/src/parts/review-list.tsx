import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReviewItem } from '../data/desk-api.ts'
import { useDesk } from './desk-context.ts'
import { useLanguage } from './language.ts'
import { Link } from './link.tsx'
import { shortTime } from './spans.ts'

/** Reviews, each with how it stands and who has it. */
export const ReviewList = ({ items }: { readonly items: readonly ReviewItem[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  return (
    <ul className="plain rows">
      {items.map(({ id, sessionId, session, endedAt, state, readiness, assignee, environment }) => (
        <li key={id}>
          <Link to={{ room: 'review', org: org.slug, id: sessionId }}>{session.candidateLabel ?? t('unnamed')}</Link>
          <span className="small">
            {[
              session.externalId,
              shortTime(endedAt, locale),
              t(`reviewState.${state}`),
              readiness === 'collecting' ? t('collectingText') : null,
              assignee ? t('reviewedBy', { name: assignee.name }) : null,
              environment === 'sandbox' ? t('isSandbox') : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
