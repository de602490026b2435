import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useState } from 'react'
import type { Report } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { MomentItem } from './moment-item.tsx'

const mostOnPage = 50

interface Props {
  readonly id: string
  readonly report: Pick<Report, 'statements'>
  /** Plays the time around a moment. */
  readonly onPlay: (momentId: string) => void
}

/** What published rules name, in the order of time, with why it happens to anybody. */
export const MomentsSection = ({ id, report: { statements }, onPlay }: Props) => {
  const { t } = useLanguage()
  const [cursor, setCursor] = useState<string>()
  const coverage = useEndpoint('portal.coverage', { params: { id }, query: { limit: mostOnPage, cursor } })
  return (
    <Section title={t('momentsTitle')}>
      <p>{t('momentsText')}</p>
      <Loaded question={coverage}>
        {({ items, total, nextCursor }) => (
          <>
            {total === 0 ? <p>{t('momentsNone')}</p> : null}
            <ol className="plain moments">
              {items.map((moment) => (
                <MomentItem key={moment.id} {...{ id, moment, statements }} onPlay={() => onPlay(moment.id)} />
              ))}
            </ol>
            {total > items.length ? <p>{t('shownOf', { shown: items.length, total })}</p> : null}
            <Actions>
              {cursor === undefined ? null : <Button onClick={() => setCursor(undefined)}>{t('firstPage')}</Button>}
              {nextCursor === null ? null : <Button onClick={() => setCursor(nextCursor)}>{t('nextPage')}</Button>}
            </Actions>
          </>
        )}
      </Loaded>
    </Section>
  )
}
