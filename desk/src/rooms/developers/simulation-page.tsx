import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useEffect, useRef } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { clockTime, spanWords } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { scenarioTexts } from './scenarios.ts'

type Simulation = ReadResult<'portal.sandbox.simulation'>

/** How often a running one is looked at, milliseconds. */
const lookMs = 2000

const useLooking = (running: boolean, again: () => void): void => {
  const look = useRef(again)
  useEffect(() => {
    look.current = again
  })
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(() => look.current(), lookMs)
    return () => clearInterval(timer)
  }, [running])
}

const Steps = ({ steps }: Pick<Simulation, 'steps'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <ol>
      {steps.map(({ atSeconds, what, doneAt }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place.
        <li key={index} lang="en">
          {what}{' '}
          <span className="small" lang="">
            {doneAt === null
              ? t('developersStepDue', { after: spanWords(atSeconds * 1000, locale) })
              : t('developersStepDone', { at: clockTime(doneAt, locale) })}
          </span>
        </li>
      ))}
    </ol>
  )
}

const Watched = ({ simulation }: { readonly simulation: Simulation }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayReadReport = useMay('report.view')
  const { sessionId, scenario, status, steps, failure, timeScale } = simulation
  const done = steps.filter(({ doneAt }) => doneAt !== null).length
  return (
    <>
      <p role="status">{t(`developersRun.${status}`, { done, of: steps.length })}</p>
      <AlertNotice>{failure}</AlertNotice>
      <Facts>
        <Fact name={t('developersScenario')}>{t(scenarioTexts[scenario].name)}</Fact>
        <Fact name={t('developersShould')}>{t(scenarioTexts[scenario].shows)}</Fact>
        <Fact name={t('developersSpeed')}>{t('developersSpeedOf', { n: timeScale })}</Fact>
      </Facts>
      <p>
        <Link to={{ room: 'interview', org: org.slug, id: sessionId }}>{t('developersToInterview')}</Link>{' '}
        {mayReadReport ? <Link to={{ room: 'review', org: org.slug, id: sessionId }}>{t('openReview')}</Link> : null}
      </p>
      <Section title={t('developersSteps')}>
        <Steps steps={steps} />
      </Section>
    </>
  )
}

/** A scenario as it plays, step by step. */
export const SimulationPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const question = useEndpoint('portal.sandbox.simulation', { params: { id } })
  const { state, again } = question
  useLooking(state.name === 'there' && state.data.status === 'running', again)
  return (
    <Page title={t('developersSimulation')} wide>
      <p>
        <Link to={{ room: 'developers', org: org.slug, section: 'sandbox', query: {} }}>
          {t('developersSandboxAll')}
        </Link>
      </p>
      {state.name === 'failed' && state.problem === 'not_found' ? (
        <p>{t('developersNotPlayed')}</p>
      ) : (
        <Loaded question={question}>{(simulation) => <Watched simulation={simulation} />}</Loaded>
      )}
    </Page>
  )
}
