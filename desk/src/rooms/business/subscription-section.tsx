import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { isRunning, type Subscription, usePlanWords } from './plan-words.ts'
import { utcTime } from './times.ts'

interface Props {
  readonly subscription: Subscription
}

const Paid = ({ subscription }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { status, interval, seats, currentPeriodEnd, cancelAtPeriodEnd, provider } = subscription
  return (
    <Facts>
      <Fact name={t('columnState')}>{status === null ? t('businessNotPaid') : t(`businessPaid.${status}`)}</Fact>
      {provider === null ? null : <Fact name={t('businessPaidTo')}>{t(`businessPayment.${provider}`)}</Fact>}
      {interval === null ? null : <Fact name={t('businessInterval')}>{t(`businessInterval.${interval}`)}</Fact>}
      {seats === null ? null : <Fact name={t('businessSeats')}>{seats}</Fact>}
      {currentPeriodEnd === null ? null : (
        <Fact name={t(cancelAtPeriodEnd ? 'businessEndsAt' : 'businessRenewsAt')}>
          {utcTime(currentPeriodEnd, locale)} UTC
        </Fact>
      )}
    </Facts>
  )
}

/** What somebody has to see to: a charge that failed, subscriptions beside the one that counts. */
const Concerns = ({ subscription: { graceEndsAt, others } }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      {graceEndsAt === null ? null : (
        <Notice kind="attention">{t('businessOwed', { at: utcTime(graceEndsAt, locale) })}</Notice>
      )}
      {others.length === 0 ? null : (
        <Notice kind="attention">
          {t('businessSeveral', { count: others.length })}
          <ul>
            {others.map(({ id, provider, plan, status }) => (
              <li key={id}>
                {t(`businessPayment.${provider}`)} · <code>{id}</code> · {t(`businessPlan.${plan}`)} ·{' '}
                {t(`businessPaid.${status}`)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

/** Ends what is paid for. What holds then is said in the numbers of the free plan. */
const CancelButtons = ({ subscription }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own, org } = useDesk()
  const words = usePlanWords()
  // What a plan holds is the same in every country.
  const ladder = useEndpoint('billing.plans', { query: { country: 'US' } })
  const free = ladder.state.name === 'there' ? ladder.state.data.items.find(({ plan }) => plan === 'free') : undefined
  const attempt = useAttempt('portal.billing.subscription', 'portal.billing.entitlements')
  const cancel = (when: 'period_end' | 'now') =>
    attempt.attempt(() => own.call('portal.billing.cancel', { params: { orgId: org.id }, body: { when } }))
  const { plan, currentPeriodEnd, cancelAtPeriodEnd } = subscription
  const at = currentPeriodEnd === null ? '' : utcTime(currentPeriodEnd, locale)
  const ways = [
    ...(cancelAtPeriodEnd || at === ''
      ? []
      : [['period_end', 'businessCancelAtEnd', 'businessCancelMeansEnd'] as const]),
    ['now', 'businessCancelNow', 'businessCancelMeansNow'] as const,
  ]
  return (
    <>
      <Outcome of={attempt} />
      <Actions>
        {ways.map(([when, label, means]) => (
          <ConfirmButton
            key={when}
            label={t(label)}
            title={t(label)}
            confirm={t(label)}
            confirmKind="stop"
            cancel={t('businessNotNow')}
            busy={attempt.busy}
            onConfirm={() => cancel(when)}
          >
            <p>{t(means, { plan: t(`businessPlan.${plan}`), at })}</p>
            {free ? <p>{t('businessThenFree', { limits: words.limits(free) })}</p> : null}
          </ConfirmButton>
        ))}
      </Actions>
    </>
  )
}

/** What is paid for the plan. */
export const SubscriptionSection = ({ subscription }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { checkout } = subscription
  return (
    <Section title={t('businessSubscription')}>
      <Concerns subscription={subscription} />
      <Paid subscription={subscription} />
      {checkout === null ? null : (
        <p>
          <a href={checkout.url} target="_blank" rel="noopener noreferrer">
            {t('businessOpenPage', {
              plan: t(`businessPlan.${checkout.plan}`),
              at: utcTime(checkout.expiresAt, locale),
            })}
          </a>
        </p>
      )}
      {isRunning(subscription) ? <CancelButtons subscription={subscription} /> : null}
    </Section>
  )
}
