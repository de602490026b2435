import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { AccessRequest, type Decide } from './access-request.tsx'
import { utcTime } from './times.ts'

const statuses = ['pending', 'approved', 'declined'] as const
type Status = (typeof statuses)[number]
const at = (query: ListQuery) => ({ room: 'access-requests', query }) as const

/** How far the requests of the last months came; the ends of the time are the service's. */
const Progress = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const insights = useEndpoint('accessRequests.insights', { query: {} })
  return (
    <Section title={t('businessAccessProgress')}>
      <Loaded question={insights}>
        {({ from, to, funnel, declined, waiting }) => (
          <>
            <p>{t('businessAccessPeriod', { from: utcTime(from, locale), to: utcTime(to, locale) })}</p>
            <Facts>
              {funnel.map(({ stage, requests }) => (
                <Fact key={stage} name={t(`businessAccessStage.${stage}`)}>
                  {requests}
                </Fact>
              ))}
              <Fact name={t('businessAccessStage.declined')}>{declined}</Fact>
              <Fact name={t('businessAccessStage.waiting')}>{waiting}</Fact>
            </Facts>
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface RequestsProps {
  readonly status: Status | undefined
  readonly cursor: string | undefined
}

const Requests = ({ status, cursor }: RequestsProps) => {
  const { t } = useLanguage()
  const { navigation } = useDesk()
  const requests = useEndpoint('accessRequests.list', { query: { limit: 20, status, cursor } })
  const attempt = useAttempt('accessRequests.list', 'accessRequests.insights')
  const decide: Decide = (act, words) =>
    attempt.attempt(async () => {
      await act()
      return words
    })
  const options = [
    { id: 'all', label: t('anyState') },
    ...statuses.map((id) => ({ id, label: t(`businessAccess.${id}`) })),
  ]
  const here = { status: status ?? 'all' }
  return (
    <>
      <SelectField
        label={t('filterState')}
        value={here.status}
        options={options}
        onChange={(id) => navigation.go(at({ status: id }))}
      />
      <Outcome of={attempt} conflict={t('businessAccessChanged')} />
      <Loaded question={requests}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <p>{t(status === 'pending' ? 'businessAccessNone' : 'businessAccessNoneFits')}</p>
            ) : null}
            {items.map((one) => (
              <AccessRequest key={one.id} request={one} busy={attempt.busy} decide={decide} />
            ))}
            <p className="pager">
              {cursor === undefined ? null : <Link to={at(here)}>{t('firstPage')}</Link>}
              {nextCursor === null ? null : <Link to={at({ ...here, cursor: nextCursor })}>{t('nextPage')}</Link>}
            </p>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Who asked for an organisation of their own: for the service's operators, who decide. */
export const AccessRequestsPage = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const { person } = useDesk()
  const given = query['status'] ?? 'pending'
  const status = statuses.find((one) => one === given)
  // Asked with the same words as the list below asks: one request, one answer.
  const { state } = useEndpoint('accessRequests.list', { query: { limit: 20, status, cursor: query['cursor'] } })
  const isForeign = state.name === 'failed' && state.problem === 'forbidden'
  return (
    <Page title={t('businessAccess')} wide>
      {isForeign ? (
        <AlertNotice>{t('businessNoOperator', { email: person.user.email })}</AlertNotice>
      ) : (
        <>
          <p>{t('businessAccessText')}</p>
          <Requests status={status} cursor={query['cursor']} />
          {state.name === 'there' ? <Progress /> : null}
        </>
      )}
    </Page>
  )
}
