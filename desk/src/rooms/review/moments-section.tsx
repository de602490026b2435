import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { Moment } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { clockTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'

const MomentItem = ({ moment }: { readonly moment: Moment }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { at, untilAt, title, lanes, commonReasons, annotations } = moment
  const times = [at, untilAt].flatMap((time) => (time === null ? [] : [clockTime(time, locale)]))
  return (
    <li>
      <p>
        <strong>{times.join(' – ')}</strong> <span lang="en">{title}</span>
      </p>
      {lanes.length > 0 ? (
        <p className="small">{t('momentLanes', { lanes: lanes.map((lane) => t(`lane.${lane}`)).join(', ') })}</p>
      ) : null}
      <details>
        <summary>{t('momentReasons')}</summary>
        <ul lang="en">
          {commonReasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </details>
      {annotations.map(({ id, author, text }) => (
        <blockquote key={id} className="written">
          <p>{text}</p>
          <footer>– {author.name}</footer>
        </blockquote>
      ))}
    </li>
  )
}

const mostOnPage = 50

/** What published rules name, in the order of time, with why it happens to anybody. */
export const MomentsSection = ({ id }: { readonly id: string }) => {
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
                <MomentItem key={moment.id} moment={moment} />
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
