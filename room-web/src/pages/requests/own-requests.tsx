import { day, dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { isOpenRequest, type OwnRequest } from '../../session/requests-api.ts'
import type { RequestsText } from '../../texts/requests.ts'
import { clockTime } from './clock-time.ts'
import { CopyPart } from './copy-part.tsx'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'

const statusText = ({ kind, status, messages }: OwnRequest): RequestsText => {
  if (status === 'received' && messages.some(({ from }) => from === 'organisation')) return 'status.received.answered'
  if (status === 'acknowledged' && kind === 'context_statement') return 'status.acknowledged.context_statement'
  if (status === 'approved' && kind === 'erasure') return 'status.approved.erasure'
  return `status.${status}`
}

const Messages = ({ request, org }: { readonly request: OwnRequest; readonly org: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return request.messages.map(({ id, at, from, text }) => (
    <div key={id}>
      <p className="small">{t(from === 'candidate' ? 'youWrote' : 'orgWrote', { org, at: dayAndTime(at, locale) })}</p>
      <blockquote className="written">{text}</blockquote>
    </div>
  ))
}

/** What was asked for, newest first, with what became of it and what was written about it. */
export const OwnRequests = (props: KeptProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { facts } = props
  const org = facts.org.name
  return (
    <Section title={t('requestsTitle')}>
      {facts.requests.length === 0 ? <p>{t('requestsNone')}</p> : null}
      {facts.requests.map((request) => (
        <article key={request.id} className="card">
          <h3>{t(`${request.kind}.title`)}</h3>
          <p className="small">{t('sentAt', { at: dayAndTime(request.createdAt, locale) })}</p>
          {request.moment ? <p>{t('aboutMoment', { at: clockTime(request.moment.at, locale) })}</p> : null}
          <p>
            {t(statusText(request), {
              org,
              at: dayAndTime(request.decidedAt ?? request.acknowledgedAt ?? request.createdAt, locale),
            })}
          </p>
          {isOpenRequest(request) && request.answerDueAt ? (
            <p>{t('answerDue', { at: day(request.answerDueAt, locale) })}</p>
          ) : null}
          <Messages request={request} org={org} />
          {request.kind === 'access' && request.status === 'approved' ? (
            <CopyPart {...props} request={request} />
          ) : null}
        </article>
      ))}
    </Section>
  )
}
