import { Button } from '@integrity/shared-ui/web/button'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { timeOfDay } from '../state/formats.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** What became of items that waited, as far as the candidate should know; read out when it appears. */
export const NoticeList = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { state, send } = useAgent()
  return (
    <div role="status">
      {state.notices.map(({ id, kind, at, items = 0 }) => (
        <Notice key={id} kind={kind === 'storage_full' ? 'attention' : 'info'}>
          <p>
            {t(`notice.${kind}`, { n: items })} <span className="small">{timeOfDay(at, locale)}</span>
          </p>
          <Button onClick={() => send('notice.dismiss', { id })}>{t('dismiss')}</Button>
        </Notice>
      ))}
    </div>
  )
}
