import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../data/desk-api.ts'
import { useDesk } from './desk-context.ts'
import { useLanguage } from './language.ts'
import { Link } from './link.tsx'
import { shortTime } from './spans.ts'

type Item = ReadResult<'portal.candidateRequests.list'>['items'][number]

const Row = ({ request }: { readonly request: Item }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, now } = useDesk()
  const { id, kind, status, session, createdAt, decidedAt, answerDueAt, environment } = request
  const at = answerDueAt === null ? '' : shortTime(answerDueAt, locale)
  const isOpen = decidedAt === null && answerDueAt !== null
  const due = isOpen ? t(Date.parse(answerDueAt) < now() ? 'requestsOverdue' : 'requestsDue', { at }) : null
  return (
    <li>
      <Link to={{ room: 'request', org: org.slug, id }}>
        {t(`requestsKind.${kind}`)}: <bdi>{session.candidateLabel ?? t('unnamed')}</bdi>
      </Link>
      <span className="small">
        {[
          session.externalId,
          t(`requestsStatus.${status}`),
          t('requestsCame', { at: shortTime(createdAt, locale) }),
          due,
          environment === 'sandbox' ? t('isSandbox') : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  )
}

/** What candidates ask for, each with when its answer is due. */
export const RequestList = ({ items }: { readonly items: readonly Item[] }) => (
  <ul className="plain rows">
    {items.map((request) => (
      <Row key={request.id} request={request} />
    ))}
  </ul>
)
