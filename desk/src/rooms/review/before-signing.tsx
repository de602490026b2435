import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { Report, ReviewItem } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime, shortTime, spanWords } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { type OpenedStore, useOpened } from './opened-store.ts'

interface Props {
  readonly id: string
  readonly report: Report
  readonly review: ReviewItem | undefined
  readonly opened: OpenedStore
}

/** What the candidate wrote and nobody has marked as read, before anything else. */
const Unread = ({ statements }: Pick<Report, 'statements'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const unread = statements.filter(({ readAt }) => readAt === null)
  if (unread.length === 0) return <p>{t(statements.length === 0 ? 'statementsNone' : 'signOffAllRead')}</p>
  return (
    <Notice kind="attention">
      <p>{t('signOffUnread', { n: unread.length })}</p>
      {unread.map(({ at, text, moment }) => (
        <blockquote key={`${at} ${moment?.id}`} className="written">
          <p>{text ?? t('statementErased')}</p>
          <footer>
            {shortTime(at, locale)}
            {moment ? ` · ${t('statementAbout', { at: clockTime(moment.at, locale) })}` : null}
          </footer>
        </blockquote>
      ))}
    </Notice>
  )
}

/** How much the player has shown here. Other visits are in the log of who looked. */
const Shown = ({ opened }: Pick<Props, 'opened'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const shown = useOpened(opened)
  if (!shown) return <p>{t('signOffOpenedNothing')}</p>
  const { moments, ofMoments, items, ofItems, shownMs, ofMs } = shown
  const time = { shown: spanWords(shownMs, locale), all: spanWords(ofMs, locale) }
  return <p>{t('signOffOpened', { moments, ofMoments, items, ofItems, ...time })}</p>
}

/** Whether more may still come, so that a sign-off now would soon need another. */
const Delivery = ({ id, review }: Pick<Props, 'id' | 'review'>) => {
  const { t } = useLanguage()
  const { state } = useEndpoint('sessions.detail', { params: { id } })
  if (state.name !== 'there') return null
  if (state.data.state !== 'ended') return <p>{t('signOffNotEnded')}</p>
  return <p>{t(review?.readiness === 'collecting' ? 'signOffCollecting' : 'signOffDelivered')}</p>
}

/** What there is to know before a name is put under a report. */
export const BeforeSigning = ({ id, report: { statements, revision, staleness }, review, opened }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      <Unread statements={statements} />
      <Shown opened={opened} />
      <Delivery id={id} review={review} />
      {staleness ? (
        <p>{t(`signOffStale.${staleness.cause}`, { revision, at: shortTime(staleness.at, locale) })}</p>
      ) : null}
    </>
  )
}
