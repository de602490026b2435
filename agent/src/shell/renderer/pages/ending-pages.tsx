import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Page } from '@integrity/shared-ui/web/shell'
import { useAgent } from '../components/agent.tsx'
import { ClosingActions } from '../components/closing-actions.tsx'
import { useLanguage } from '../components/language.tsx'
import { LaterSection } from '../components/later-section.tsx'
import { ProblemNotice, ProblemWords } from '../components/problem-notice.tsx'
import { useOrg } from '../components/use-org.ts'

/** The candidate declined. */
export const RefusedPage = () => {
  const { t } = useLanguage()
  const org = useOrg()
  const { refusal = 'sending' } = useAgent().state
  return (
    <Page title={t('refusedTitle')} sign="off">
      <ProblemNotice />
      <p>{t('refusedText')}</p>
      <p role="status">{t(`refused.${refusal}`, { org })}</p>
      <p>{t('refusedAgain')}</p>
      <ClosingActions />
    </Page>
  )
}

/** It cannot go on: why, what is kept, and what can be done. */
export const FailedPage = () => {
  const { t, language } = useLanguage()
  const { problem, state } = useAgent()
  const { unsent } = state
  const items = unsent.items + unsent.events
  return (
    <Page title={problem ? t(`problem.${problem.code}.title`) : t('failedTitle')} sign="trouble">
      {problem ? <ProblemWords problem={problem} /> : null}
      <p>{t('failedRecording')}</p>
      <p>{items > 0 ? t('failedKept', { items, size: sizeWords(unsent.bytes, language.code) }) : t('failedNothing')}</p>
      {state.session?.requestsAddress === undefined ? null : <LaterSection />}
      <ClosingActions />
    </Page>
  )
}
