import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RequestList } from '../../parts/request-list.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { kinds, oneOf, statuses } from './request-names.ts'

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
              <RequestList items={items} />
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
