import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReviewItem } from '../data/desk-api.ts'
import { useDesk } from './desk-context.ts'
import { useLanguage } from './language.ts'
import { Link } from './link.tsx'
import { shortTime } from './spans.ts'

/** What waits beside a review: what is due first. */
const Waits = ({ review }: { readonly review: ReviewItem }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { unreadStatements, openRequests, answerDueAt, deletionDueAt, opened } = review
  const words = [
    unreadStatements > 0 ? t('reviewUnread', { count: unreadStatements }) : null,
    openRequests > 0 ? t('reviewRequests', { count: openRequests }) : null,
    answerDueAt === null ? null : t('reviewAnswerDue', { at: shortTime(answerDueAt, locale) }),
    opened.ofMoments ? t('reviewMoments', { count: opened.ofMoments, opened: opened.moments }) : null,
    deletionDueAt === null ? null : t('reviewDeletion', { at: shortTime(deletionDueAt, locale) }),
  ].filter(Boolean)
  return words.length === 0 ? null : <span className="small">{words.join(' · ')}</span>
}

const Row = ({ review }: { readonly review: ReviewItem }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const { sessionId, session, endedAt, state, readiness, assignee, environment } = review
  return (
    <li>
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
      <Waits review={review} />
    </li>
  )
}

/** Reviews, each with how it stands and who has it. */
export const ReviewList = ({ items }: { readonly items: readonly ReviewItem[] }) => (
  <ul className="plain rows">
    {items.map((review) => (
      <Row key={review.id} review={review} />
    ))}
  </ul>
)
