import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import type { InterviewsQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { namesBelow } from '../../words/desk.ts'
import { InterviewsFilters } from './interviews-filters.tsx'
import { InterviewsSearch } from './interviews-search.tsx'
import { InterviewsTable } from './interviews-table.tsx'
import { useSearchWords } from './use-search-words.ts'

/** One of what there is to choose; an address may hold anything. */
const known = <Name extends string>(names: readonly Name[], given: string | undefined): Name | undefined =>
  names.find((name) => name === given)

interface Nothing {
  readonly words: string
  readonly isChosen: boolean
  readonly onClear: () => void
}

const NothingFound = ({ words, isChosen, onClear }: Nothing) => {
  const { t } = useLanguage()
  if (words === '') return <p>{t(isChosen ? 'noneFits' : 'noneYet')}</p>
  return (
    <>
      <p role="status">{t('interviewNoneFound', { words })}</p>
      <Actions>
        <Button onClick={onClear}>{t('interviewSearchClear')}</Button>
      </Actions>
    </>
  )
}

const AddInterview = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const maySchedule = useMay('session.create')
  return maySchedule ? (
    <p>
      <Link to={{ room: 'schedule', org: org.slug }}>{t('scheduleTitle')}</Link>
    </p>
  ) : null
}

/** What the address and the words choose, and a page of the interviews that they find. */
const useFound = (query: InterviewsQuery, words: string) => {
  const { org, person } = useDesk()
  const state = known(namesBelow('state'), query.state)
  const environment = known(namesBelow('environment'), query.environment)
  const review = known(namesBelow('interviewReview'), query.review)
  // A page of a search begins nowhere once the words are gone, as after a reload.
  const found = words === '' ? undefined : 'words'
  const cursor = query.found === found ? query.cursor : undefined
  const by = query.by === 'me' ? 'me' : undefined
  const sort = query.sort === 'oldest' ? 'oldest' : undefined
  const sessions = useEndpoint('portal.sessions.list', {
    params: { orgId: org.id },
    query: {
      limit: 50,
      state,
      sort,
      cursor,
      q: words || undefined,
      reviewState: review,
      provisionedBy: by && person.user.id,
      sandbox: environment && (environment === 'sandbox' ? 'true' : 'false'),
    },
  })
  const chosen: InterviewsQuery = { state, environment, review, by, sort }
  return { sessions, chosen, found, cursor, isChosen: Boolean(state ?? environment ?? review ?? by) }
}

/** Every interview of the organisation, newest first unless the reader chose otherwise. */
export const InterviewsPage = ({ query }: { readonly query: InterviewsQuery }) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const [words, setWords] = useSearchWords()
  const [cleared, setCleared] = useState(0)
  const { sessions, chosen, found, cursor, isChosen } = useFound(query, words)
  const at = (to: InterviewsQuery) => ({ room: 'interviews', org: org.slug, query: to }) as const
  const search = (wanted: string) => {
    if (wanted === words) return
    setWords(wanted)
    if (query.cursor !== undefined) navigation.go(at(chosen))
  }
  const clear = () => {
    setCleared(cleared + 1)
    search('')
  }
  return (
    <Page title={t('interviewsTitle')} wide>
      <AddInterview />
      <InterviewsSearch key={cleared} words={words} onSearch={search} />
      <InterviewsFilters query={chosen} onChange={(to) => navigation.go(at(to))} />
      <Loaded question={sessions}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <NothingFound words={words} isChosen={isChosen} onClear={clear} />
          ) : (
            <>
              <InterviewsTable items={items} />
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at(chosen)}
                next={nextCursor === null ? undefined : at({ ...chosen, found, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
