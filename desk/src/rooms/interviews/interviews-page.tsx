import { Page } from '@integrity/shared-ui/web/shell'
import type { InterviewsQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { namesBelow } from '../../words/desk.ts'
import { InterviewsFilters } from './interviews-filters.tsx'
import { InterviewsTable } from './interviews-table.tsx'

/** One of what there is to choose; an address may hold anything. */
const known = <Name extends string>(names: readonly Name[], given: string | undefined): Name | undefined =>
  names.find((name) => name === given)

/** Every interview of the organisation, newest first unless the reader chose otherwise. */
export const InterviewsPage = ({ query }: { readonly query: InterviewsQuery }) => {
  const { t } = useLanguage()
  const { org, person, navigation } = useDesk()
  const maySchedule = useMay('session.create')
  const state = known(namesBelow('state'), query.state)
  const environment = known(namesBelow('environment'), query.environment)
  const { reference } = query
  const by = query.by === 'me' ? 'me' : undefined
  const sort = query.sort === 'oldest' ? 'oldest' : undefined
  const sessions = useEndpoint('portal.sessions.list', {
    params: { orgId: org.id },
    query: {
      ...{ limit: 50, state, sort, cursor: query.cursor, externalId: reference },
      provisionedBy: by && person.user.id,
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
      <InterviewsFilters
        key={reference}
        query={{ state, environment, reference, by, sort }}
        onChange={(to) => navigation.go(at(to))}
      />
      <Loaded question={sessions}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t(state || environment || reference || by ? 'noneFits' : 'noneYet')}</p>
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
