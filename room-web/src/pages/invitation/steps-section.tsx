import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Announcer } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useEffect, useRef, useState } from 'react'
import type { ReadinessStep } from '../../session/invitation-api.ts'
import { useLanguage } from './language.ts'

type Steps = readonly ReadinessStep[]

/** The step that was reached since the last look, to be read out; the first look is none. */
const useNews = (steps: Steps | undefined): ReadinessStep['step'] | undefined => {
  const before = useRef<Steps>(undefined)
  const [news, setNews] = useState<ReadinessStep['step']>()
  useEffect(() => {
    const known = before.current
    before.current = steps
    if (!known || !steps) return
    const open = new Set(known.filter(({ at }) => at === null).map(({ step }) => step))
    const reached = steps.findLast(({ step, at }) => at !== null && open.has(step))
    if (reached) setNews(reached.step)
  }, [steps])
  return news
}

/** How far the preparation has come: what the service knows, and nothing that one would have to tick off. */
export const StepsSection = ({ steps }: { readonly steps: Steps | undefined }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const news = useNews(steps)
  const over = (steps ?? []).some(({ step, at }) => step === 'ended' && at !== null)
  const state = (at: string | null) =>
    at === null ? t(over ? 'stepNone' : 'stepOpen') : t('stepDone', { at: dayAndTime(at, locale) })
  return (
    <Section title={t('stepsTitle')}>
      <Announcer>{news ? t('stepNews', { step: t(`step.${news}`) }) : null}</Announcer>
      <ol className="steps">
        {(steps ?? []).map(({ step, at }) => (
          <li key={step} className={at === null ? undefined : 'done'}>
            {t(`step.${step}`)}
            <span className="small"> – {state(at)}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
