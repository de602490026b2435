import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** What can be done at the end of everything: another code, or closing. */
export const ClosingActions = () => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  return (
    <div className="actions">
      <button type="button" aria-disabled={busy('app.quit')} onClick={() => send('app.quit', {})}>
        {t('quit')}
      </button>
      <button type="button" aria-disabled={busy('session.forget')} onClick={() => send('session.forget', {})}>
        {t('toCode')}
      </button>
    </div>
  )
}
