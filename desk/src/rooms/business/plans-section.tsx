import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { ChoiceField, ExactField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type ReactNode, useMemo } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { type Attempt, useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { countriesIn } from './countries.ts'
import {
  type Bought,
  bought,
  type Interval,
  isRunning,
  type Ladder,
  type Rung,
  type Subscription,
  usePlanWords,
} from './plan-words.ts'

interface Wish {
  readonly [name: string]: string
  readonly country: string
  readonly interval: string
  readonly seats: string
}

const isBought = (plan: string): plan is Bought => bought.some((name) => name === plan)
const intervalOf = ({ interval }: Wish): Interval => (interval === 'year' ? 'year' : 'month')

interface Acting {
  readonly attempt: Attempt
  readonly take: (plan: Bought, wish: Wish) => void
}

/** Opens the page where a plan is paid for; where one is paid for already, changes it. */
const useTaking = (subscription: Subscription): Acting => {
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.billing.subscription', 'portal.billing.entitlements')
  const params = { orgId: org.id }
  const take = (plan: Bought, wish: Wish) => {
    const [interval, { country, seats }] = [intervalOf(wish), wish]
    const many = seats === '' ? {} : { seats: Number(seats) }
    const call = () =>
      isRunning(subscription)
        ? own.call('portal.billing.plan', { params, body: { plan, interval }, timeoutMs: 60_000 })
        : own.call('portal.billing.checkout', { params, body: { plan, interval, country, ...many }, timeoutMs: 60_000 })
    attempt.attempt(call)
  }
  return { attempt, take }
}

interface RungProps {
  readonly rung: Rung
  readonly ladder: Ladder
  readonly wish: Wish
  readonly subscription: Subscription
  readonly acting: Acting
}

const OnePlan = ({ rung, ladder, wish, subscription, acting }: RungProps) => {
  const { t } = useLanguage()
  const words = usePlanWords()
  const { plan } = rung
  const name = t(`businessPlan.${plan}`)
  const price = words.price(rung, ladder, intervalOf(wish))
  const [running, limits] = [isRunning(subscription), words.limits(rung)]
  const isThis = running && subscription.plan === plan && subscription.interval === intervalOf(wish)
  return (
    <li>
      <h3>{name}</h3>
      <p>
        {plan === 'free' ? t('businessFree') : plan === 'enterprise' ? t('businessAgreed') : price} · {limits}
      </p>
      {isBought(plan) && rung.prices !== null && !isThis ? (
        <Actions>
          <ConfirmButton
            label={t(running ? 'businessChangeTo' : 'businessBuy', { plan: name })}
            title={t(running ? 'businessChangeTo' : 'businessBuy', { plan: name })}
            confirm={t(running ? 'businessChangeYes' : 'businessBuyYes')}
            confirmKind="main"
            cancel={t('businessNotNow')}
            busy={acting.attempt.busy}
            onConfirm={() => acting.take(plan, wish)}
          >
            <p>{t(running ? 'businessChangeMeans' : 'businessBuyMeans', { plan: name, price, limits })}</p>
          </ConfirmButton>
        </Actions>
      ) : null}
    </li>
  )
}

interface WishProps {
  readonly wish: Wish
  readonly change: (part: Partial<Wish>) => void
  readonly at: Attempt['at']
  readonly asksSeats: boolean
}

const WishFields = ({ wish, change, at, asksSeats }: WishProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const countries = useMemo(() => countriesIn(locale), [locale])
  const intervals = (['month', 'year'] as const).map((value) => ({ value, label: t(`businessInterval.${value}`) }))
  return (
    <>
      <ChoiceField
        name="country"
        label={t('businessCountry')}
        help={t('businessCountryHelp')}
        value={wish.country}
        options={[{ value: '', label: t('businessCountryChoose') }, ...countries]}
        onChange={(country) => change({ country })}
        error={at('country')}
      />
      <ChoiceField
        name="interval"
        label={t('businessInterval')}
        value={wish.interval}
        options={intervals}
        onChange={(interval) => change({ interval })}
        error={at('interval')}
      />
      {asksSeats ? (
        <ExactField
          name="seats"
          label={t('businessSeatsFor')}
          help={t('businessSeatsHelp')}
          value={wish.seats}
          onChange={(seats) => change({ seats: seats.replaceAll(/\D/g, '') })}
          error={at('seats')}
          optional
          maxLength={4}
        />
      ) : null}
    </>
  )
}

interface RungsProps {
  readonly country: string
  readonly children: (ladder: Ladder) => ReactNode
}

const Rungs = ({ country, children }: RungsProps) => {
  const ladder = useEndpoint('billing.plans', { query: { country } })
  return <Loaded question={ladder}>{children}</Loaded>
}

/** The plans with their prices in a country, and the way to one. */
export const PlansSection = ({ subscription }: { readonly subscription: Subscription }) => {
  const { t } = useLanguage()
  const { org, person, pageMemory } = useDesk()
  const empty: Wish = { country: '', interval: 'month', seats: '' }
  const draft = useDraft<Wish>(`plan ${person.user.id} ${org.id}`, empty, pageMemory)
  const acting = useTaking(subscription)
  const wish = draft.words
  return (
    <Section title={t('businessPlans')}>
      <WishFields wish={wish} change={draft.change} at={acting.attempt.at} asksSeats={!isRunning(subscription)} />
      {wish.country === '' ? (
        <p>{t('businessCountryFirst')}</p>
      ) : (
        <Rungs country={wish.country}>
          {(ladder) => (
            <ul>
              {ladder.items.map((rung) => (
                <OnePlan key={rung.plan} {...{ rung, ladder, wish, subscription, acting }} />
              ))}
            </ul>
          )}
        </Rungs>
      )}
      <Outcome of={acting.attempt} fields={['country', 'interval', 'seats']} />
    </Section>
  )
}
