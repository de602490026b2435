import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useRef, useState } from 'react'
import type { Contents, KeptItem } from '../../session/requests-api.ts'
import { Gallery } from './gallery.tsx'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { OpenedList } from './opened-list.tsx'
import { Strip } from './strip.tsx'

interface Props extends KeptProps {
  readonly requestId: string
}

/** An address works for five minutes; one that fails sooner is not asked for again at once. */
const renewAfterMs = 60_000

/** The pages of a copy's contents that were read so far, oldest objects first. */
const useContents = ({ requests, visit, requestId }: Props) => {
  const { call, time } = requests
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [pages, setPages] = useState<readonly Contents[]>([])
  const renewed = useRef(new Map<number, number>())
  const read = async (after: number, place: number) => {
    renewed.current.set(place, time.now())
    const page = await call.ask('candidateRequests.contents', { requestId, after })
    setPages((before) => [...before.slice(0, place), page, ...before.slice(place + 1)])
  }
  const next = pages.length === 0 ? 0 : (pages.at(-1)?.next ?? null)
  return {
    pages,
    busy,
    problem,
    more: next === null ? undefined : () => send(() => read(next, pages.length)),
    /** Fresh addresses for the page that the object is on. */
    renew: ({ id }: KeptItem) => {
      const place = pages.findIndex(({ items }) => items.some((item) => item.id === id))
      if (place < 0 || time.now() - (renewed.current.get(place) ?? 0) < renewAfterMs) return
      send(() => read(place === 0 ? 0 : (pages[place - 1]?.next ?? 0), place))
    },
  }
}

/** What an approved copy holds, to be looked at where it is. */
export const ContentsPart = (props: Props) => {
  const { t } = useLanguage()
  const { requests, facts } = props
  const { pages, busy, problem, more, renew } = useContents(props)
  const overview = pages[0]?.overview
  return (
    <>
      {overview ? (
        <>
          <Strip lanes={overview.lanes} session={facts.session} now={requests.time.now()} />
          <h4>{t('contentsTitle')}</h4>
        </>
      ) : null}
      {overview && pages[0]?.items.length === 0 ? <p>{t('keptNothing')}</p> : null}
      <Gallery items={pages.flatMap(({ items }) => items)} baseUrl={requests.baseUrl} onStale={renew} />
      <div role="alert">{problem ? <Notice kind="attention">{t('contentsFailed')}</Notice> : null}</div>
      {more ? (
        <Actions>
          <Button busy={busy} onClick={more}>
            {t(overview ? 'contentsMore' : 'contentsShow')}
          </Button>
        </Actions>
      ) : null}
      {overview ? <OpenedList overview={overview} org={facts.org.name} /> : null}
    </>
  )
}
