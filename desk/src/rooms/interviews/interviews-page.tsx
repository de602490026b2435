import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Page } from '@integrity/shared-ui/web/shell'
import type { InterviewsQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { namesBelow } from '../../words/desk.ts'
import { InterviewsTable } from './interviews-table.tsx'

/** One of what there is to choose; an address may hold anything. */
const known = <Name extends string>(names: readonly Name[], given: string | undefined): Name | undefined =>
  names.find((name) => name === given)

interface FiltersProps {
  readonly query: InterviewsQuery
  readonly onChange: (query: InterviewsQuery) => void
}

const Filters = ({ query, onChange }: FiltersProps) => {
  const { t } = useLanguage()
  const any = { id: '', label: t('anyState') }
  return (
    <div className="filters">
      <SelectField
        label={t('filterState')}
        value={query.state ?? ''}
        options={[any, ...namesBelow('state').map((id) => ({ id, label: t(`state.${id}`) }))]}
        onChange={(state) => onChange({ ...query, state, cursor: undefined })}
      />
      <SelectField
        label={t('filterEnvironment')}
        value={query.environment ?? ''}
        options={[any, ...namesBelow('environment').map((id) => ({ id, label: t(`environment.${id}`) }))]}
        onChange={(environment) => onChange({ ...query, environment, cursor: undefined })}
      />
    </div>
  )
}

/** Every interview of the organisation, newest first. */
export const InterviewsPage = ({ query }: { readonly query: InterviewsQuery }) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const maySchedule = useMay('session.create')
  const state = known(namesBelow('state'), query.state)
  const environment = known(namesBelow('environment'), query.environment)
  const sessions = useEndpoint('portal.sessions.list', {
    params: { orgId: org.id },
    query: {
      ...{ limit: 50, state, cursor: query.cursor },
      sandbox: environment && (environment === 'sandbox' ? 'true' : 'false'),
    },
  })
  const at = (to: InterviewsQuery) => ({ room: 'interviews', org: org.slug, query: to }) as const
  return (
    <Page title={t('interviewsTitle')} wide>
      {maySchedule ? (
        <p>
          <Link to={{ room: 'schedule', org: org.slug }}>{t('scheduleTitle')}</Link>
        </p>
      ) : null}
      <Filters query={{ ...query, state, environment }} onChange={(to) => navigation.go(at(to))} />
      <Loaded question={sessions}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t(state || environment ? 'noneFits' : 'noneYet')}</p>
          ) : (
            <>
              <InterviewsTable items={items} />
              <Pager
                shown={items.length}
                total={total}
                first={query.cursor === undefined ? undefined : at({ ...query, cursor: undefined })}
                next={nextCursor === null ? undefined : at({ ...query, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
