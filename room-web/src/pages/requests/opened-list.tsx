import { day, dayAndTime, timeSpan } from '@integrity/shared-ui/session/appointment-times'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ContentsOverview } from '../../session/requests-api.ts'
import { useLanguage } from './language.ts'

interface Props {
  readonly overview: ContentsOverview
  readonly org: string
}

/** Who opened what, by day, and who watched live from when to when, newest first. */
export const OpenedList = ({ overview: { opened, openedSince }, org }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      <h4>{t('openedTitle')}</h4>
      <p className="small">{t('openedText', { org })}</p>
      {opened.length === 0 ? <p>{t('openedNone')}</p> : null}
      <ul className="plain">
        {opened.map(({ by, thing, times, firstAt, lastAt }) => (
          <li key={`${by} ${thing} ${firstAt}`}>
            {t('openedLine', {
              by: t(`by.${by}`, { org }),
              thing: t(`thing.${thing}`, { span: timeSpan(firstAt, lastAt, locale) }),
            })}{' '}
            <span className="small">
              {thing === 'live' ? day(firstAt, locale) : t('openedTimes', { times, at: dayAndTime(lastAt, locale) })}
            </span>
          </li>
        ))}
      </ul>
      {openedSince ? <p className="small">{t('openedSince', { at: dayAndTime(openedSince, locale) })}</p> : null}
    </>
  )
}
