import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { clockTime } from '../../parts/spans.ts'

export type Snapshot = ReadResult<'sessions.live'>

const usePhoneWords = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  return ({ paired, consent, recording, interruptedSince, lastContactAt, battery }: NonNullable<Snapshot['phone']>) => {
    if (!paired) return t('livePhoneNone')
    return [
      interruptedSince
        ? t('livePhoneInterrupted', { at: clockTime(interruptedSince, locale) })
        : t(`livePhoneState.${recording}`),
      consent === 'granted' ? null : t(`livePhoneConsent.${consent}`),
      lastContactAt ? t('livePhoneHeard', { at: clockTime(lastContactAt, locale) }) : null,
      battery === null
        ? null
        : t('livePhoneBattery', { percent: battery.toLocaleString(locale, { style: 'percent' }) }),
    ]
      .filter(Boolean)
      .join(', ')
  }
}

/** Whether the candidate's application and phone are there. */
export const LiveFacts = ({ agent, phone }: Pick<Snapshot, 'agent' | 'phone'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const phoneWords = usePhoneWords()
  const state = t(agent.connected ? 'liveConnected' : 'liveNotConnected')
  const seen = agent.lastSeenAt
  return (
    <Facts>
      <Fact name={t('liveApplication')}>
        {seen === null ? state : t('liveLastSeen', { state, at: clockTime(seen, locale) })}
      </Fact>
      {phone ? <Fact name={t('livePhone')}>{phoneWords(phone)}</Fact> : null}
    </Facts>
  )
}

/** The newest events, in the order of their receipt. */
export const LiveEvents = ({ signals: { items, total } }: Pick<Snapshot, 'signals'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('liveEvents')}>
      <p>{total === 0 ? t('liveEventsNone') : t('liveEventsTotal', { n: total })}</p>
      <ol className="plain">
        {items.map(({ id, kind, observedAt }) => (
          <li key={id}>
            {clockTime(observedAt, locale)} <code>{kind}</code>
          </li>
        ))}
      </ol>
    </Section>
  )
}
