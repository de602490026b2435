import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { kinds, oneOf, type RequestItem, statuses } from './request-names.ts'

const Row = ({ request }: { readonly request: RequestItem }) => {
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

interface FiltersProps {
  readonly query: ListQuery
  readonly onChange: (query: ListQuery) => void
}

const Filters = ({ query: { status = '', kind = '' }, onChange }: FiltersProps) => {
  const { t } = useLanguage()
  const seesAll = useMay('candidate_request.manage')
  return (
    <div className="filters">
      <SelectField
        label={t('requestsFilterStatus')}
        value={status}
        options={[
          { id: '', label: t('requestsOpen') },
          ...statuses.map((id) => ({ id, label: t(`requestsStatus.${id}`) })),
          { id: 'all', label: t('requestsAll') },
        ]}
        onChange={(chosen) => onChange({ status: chosen, kind })}
      />
      {seesAll ? (
        <SelectField
          label={t('requestsFilterKind')}
          value={kind}
          options={[
            { id: '', label: t('requestsAllKinds') },
            ...kinds.map((id) => ({ id, label: t(`requestsKind.${id}`) })),
          ]}
          onChange={(chosen) => onChange({ status, kind: chosen })}
        />
      ) : null}
    </div>
  )
}

/** What candidates have asked for, in the order in which answers are due. */
export const RequestsPage = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const status = oneOf([...statuses, 'all'], query['status'])
  const kind = oneOf(kinds, query['kind'])
  const cursor = query['cursor']
  const requests = useEndpoint('portal.candidateRequests.list', {
    params: { orgId: org.id },
    query: { limit: 50, sort: 'due', cursor, kind, ...(status ? { status } : {}) },
  })
  const chosen = { status: status ?? '', kind: kind ?? '' }
  const at = (to: ListQuery) => ({ room: 'requests', org: org.slug, query: to }) as const
  return (
    <Page title={t('requestsSection')} wide>
      <p>{t('requestsIntro')}</p>
      <Filters query={chosen} onChange={(to) => navigation.go(at(to))} />
      <Loaded question={requests}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t(status || kind ? 'requestsNoneFits' : 'requestsNone')}</p>
          ) : (
            <>
              <ul className="plain rows">
                {items.map((request) => (
                  <Row key={request.id} request={request} />
                ))}
              </ul>
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at(chosen)}
                next={nextCursor === null ? undefined : at({ ...chosen, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
