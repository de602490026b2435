import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime, shortTime, tookWords } from '../../parts/spans.ts'
import { DeliveryRequest } from './delivery-request.tsx'

export type Delivery = ReadResult<'portal.webhooks.deliveries.list'>['items'][number]
type Attempt = Delivery['attempts'][number]

const AttemptItem = ({ attempt }: { readonly attempt: Attempt }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { statusCode, responseExcerpt, error, errorCode } = attempt
  const answer = statusCode === undefined ? t(`developersOutcome.${attempt.outcome}`) : String(statusCode)
  return (
    <li>
      <p>
        {t('developersAttempt', {
          n: attempt.attempt,
          at: clockTime(attempt.at, locale),
          took: tookWords(attempt.durationMs, locale),
          answer,
        })}
      </p>
      {error === undefined ? null : (
        <p>{errorCode === undefined ? error : t('developersBecause', { error, code: errorCode })}</p>
      )}
      {responseExcerpt ? (
        <pre className="wire" dir="ltr">
          {responseExcerpt}
        </pre>
      ) : null}
    </li>
  )
}

interface Props {
  readonly endpointId: string
  readonly delivery: Delivery
  readonly busy: boolean
  readonly onReplay: (id: string) => void
}

/** One delivery: how it stands, what is sent, each attempt with the answer, and how to send it again. */
export const DeliveryItem = ({ endpointId, delivery, busy, onReplay }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { id, eventType, status, createdAt, nextAttemptAt, replayOf, fault, example, attempts } = delivery
  const isFinished = status !== 'pending' && status !== 'retrying'
  return (
    <li data-delivery={id}>
      <p>
        <strong>{eventType}</strong>, {shortTime(createdAt, locale)}: {t(`developersDelivery.${status}`)}
        {nextAttemptAt === null ? null : ` · ${t('developersNextAt', { at: clockTime(nextAttemptAt, locale) })}`}
        {replayOf === undefined ? null : ` · ${t('developersIsReplay')}`}
        {example ? ` · ${t('developersIsExample')}` : null}
        {fault === undefined ? null : ` · ${t(`developersFault.${fault}`)}`}
      </p>
      {attempts.length === 0 ? null : (
        <details>
          <summary>{t('developersAttempts', { n: attempts.length })}</summary>
          <ol>
            {attempts.map((attempt) => (
              <AttemptItem key={attempt.attempt} attempt={attempt} />
            ))}
          </ol>
        </details>
      )}
      <DeliveryRequest endpointId={endpointId} deliveryId={id} />
      {isFinished ? (
        <Actions>
          <Button
            aria-label={t('developersReplayOf', { type: eventType, at: shortTime(createdAt, locale) })}
            busy={busy}
            onClick={() => onReplay(id)}
          >
            {t('developersReplay')}
          </Button>
        </Actions>
      ) : null}
    </li>
  )
}
