import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** What can be done at the end of everything: another code, or closing. */
export const ClosingActions = () => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  return (
    <Actions>
      <Button busy={busy('app.quit')} onClick={() => send('app.quit', {})}>
        {t('quit')}
      </Button>
      <Button busy={busy('session.forget')} onClick={() => send('session.forget', {})}>
        {t('toCode')}
      </Button>
    </Actions>
  )
}
