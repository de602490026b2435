import { Section } from '@integrity/shared-ui/web/section'
import type { ConsentView } from '../state/consent-answers.ts'
import { isWindowText } from '../texts/window.ts'
import { useLanguage } from './language.tsx'

/** What this machine does not let the agent see, and why. An observer without a name here is shown by its own. */
export const CapabilityList = ({ lines }: { readonly lines: ConsentView['capabilities'] }) => {
  const { t } = useLanguage()
  const unseen = lines.filter(({ status }) => status === 'not_observable')
  const nameOf = (observer: string) => {
    const key = `observer.${observer}`
    return isWindowText(key) ? t(key) : observer.replaceAll('_', ' ')
  }
  return (
    <Section title={t('capabilitiesTitle')}>
      {unseen.length === 0 ? <p>{t('capabilitiesNone')}</p> : <p>{t('capabilitiesText')}</p>}
      {unseen.length === 0 ? null : (
        <ul>
          {unseen.map(({ observer, why }) => (
            <li key={observer}>
              {nameOf(observer)}
              {why ? (
                <span className="small">
                  {' – '}
                  <span lang="en">{why}</span>
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
