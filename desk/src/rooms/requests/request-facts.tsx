import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime } from '../../parts/spans.ts'
import type { RequestItem } from './request-names.ts'

interface Props {
  readonly request: RequestItem
}

const Due = ({ request: { answerDueAt, decidedAt } }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { now } = useDesk()
  if (answerDueAt === null || decidedAt !== null) return null
  const at = dayAndTime(answerDueAt, locale)
  return <Fact name={t('requestsFactDue')}>{Date.parse(answerDueAt) < now() ? t('requestsOverdue', { at }) : at}</Fact>
}

const People = ({ request: { acknowledgedAt, acknowledgedBy, decidedAt, decidedBy } }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const by = (name: string | null, at: string) =>
    t('requestsBy', { name: name ?? t('requestsFormer'), at: dayAndTime(at, locale) })
  return (
    <>
      {acknowledgedAt === null ? null : <Fact name={t('requestsFactSeen')}>{by(acknowledgedBy, acknowledgedAt)}</Fact>}
      {decidedAt === null ? null : <Fact name={t('requestsFactDecided')}>{by(decidedBy, decidedAt)}</Fact>}
    </>
  )
}

const Copy = ({ request: { accessCopyUntil, lastDownloadAt } }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (accessCopyUntil === null) return null
  return (
    <>
      <Fact name={t('requestsFactCopy')}>{dayAndTime(accessCopyUntil, locale)}</Fact>
      <Fact name={t('requestsFactDownloaded')}>
        {lastDownloadAt === null ? t('requestsNotDownloaded') : dayAndTime(lastDownloadAt, locale)}
      </Fact>
    </>
  )
}

/** How the request stands. */
export const RequestFacts = ({ request }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const writes = useMay('candidate_request.manage')
  const { kind, status, createdAt, origin, replyTo, environment, moment } = request
  const marks = [t(`requestsKind.${kind}`), environment === 'sandbox' ? t('isSandbox') : null]
  return (
    <Facts>
      <Fact name={t('requestsFactKind')}>{marks.filter(Boolean).join(' · ')}</Fact>
      <Fact name={t('requestsFactStatus')}>
        <span role="status">{t(`requestsStatus.${status}`)}</span>
      </Fact>
      {moment === null ? null : (
        <Fact name={t('requestsFactMoment')}>{t('requestsMoment', { at: clockTime(moment.at, locale) })}</Fact>
      )}
      <Fact name={t('requestsFactCame')}>{dayAndTime(createdAt, locale)}</Fact>
      <Due request={request} />
      <Fact name={t('requestsFactFrom')}>{t(`requestsOrigin.${origin}`)}</Fact>
      {writes ? (
        <Fact name={t('requestsFactReplyTo')}>
          {replyTo === null ? t('requestsNoAddress') : <bdi dir="ltr">{replyTo}</bdi>}
        </Fact>
      ) : null}
      <People request={request} />
      <Copy request={request} />
    </Facts>
  )
}
