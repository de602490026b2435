import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { timeOfDay } from '../state/formats.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** How the connection is, what was sent and what waits. */
export const Sending = () => {
  const { t, language } = useLanguage()
  const { network, unsent, sent } = useAgent().state
  const locale = useLocale()
  const time = (at: number) => timeOfDay(at, locale)
  const waits = unsent.items > 0 || unsent.events > 0
  return (
    <Facts>
      <Fact name={t('networkLabel')}>
        {t(`network.${network.state}`)}
        {network.lastAnswerAt ? (
          <span className="small"> {t('networkLastAnswer', { time: time(network.lastAnswerAt) })}</span>
        ) : null}
      </Fact>
      <Fact name={t('unsentLabel')} data-count="unsent">
        {waits
          ? t('unsentSome', {
              items: unsent.items,
              events: unsent.events,
              size: sizeWords(unsent.bytes, language.code),
            })
          : t('unsentNone')}
      </Fact>
      <Fact name={t('sentLabel')} data-count="sent">
        {t('sentSome', { items: sent.items, size: sizeWords(sent.bytes, language.code) })}
      </Fact>
    </Facts>
  )
}

/** Said where the connection is not as it should be. */
export const NetworkNotice = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { network } = useAgent().state
  if (network.state !== 'offline' && network.state !== 'slowed') return null
  const next = network.nextTryAt && t('networkNextTry', { time: timeOfDay(network.nextTryAt, locale) })
  return (
    <Notice kind="attention">
      <p>
        <strong>{t('sentence', { text: t(`network.${network.state}`) })}</strong>{' '}
        {t(network.state === 'offline' ? 'networkKept' : 'networkSlowedText')}
        {next ? ` ${t('sentence', { text: next })}` : null}
      </p>
    </Notice>
  )
}
