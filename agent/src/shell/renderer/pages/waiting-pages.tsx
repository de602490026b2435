import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Page } from '@integrity/shared-ui/web/shell'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'

/** The code is asked about. */
export const JoiningPage = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  return (
    <Page title={t('joiningTitle')} sign="wait">
      <ProblemNotice />
      <p>{t('joiningText')}</p>
      {state.server ? <p className="small">{t('joiningServer', { server: state.server })}</p> : null}
      <Actions>
        <Button busy={busy('session.forget')} onClick={() => send('session.forget', {})}>
          {t('back')}
        </Button>
      </Actions>
    </Page>
  )
}

/** The answers are on their way. */
export const RegisteringPage = () => {
  const { t } = useLanguage()
  return (
    <Page title={t('registeringTitle')} sign="wait">
      <ProblemNotice />
      <p>{t('registeringText')}</p>
    </Page>
  )
}
