import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Page } from '@integrity/shared-ui/web/shell'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { LaterSection } from '../components/later-section.tsx'
import { NoticeList } from '../components/notice-list.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { NetworkNotice } from '../components/sending.tsx'

/** Over; what is left is counted down. */
export const FinishingPage = () => {
  const { t, language } = useLanguage()
  const { state, send, busy } = useAgent()
  const { unsent, ended } = state
  return (
    <Page title={t('finishingTitle')} sign="wait">
      <ProblemNotice />
      {ended?.by === 'service' ? <p>{t('finishingByService')}</p> : null}
      <p>{t('finishingText')}</p>
      <p id="left">{t('finishingLeft')}</p>
      <p className="left" aria-describedby="left" data-count="left">
        {t('pieces', { n: unsent.items + unsent.events })}{' '}
        <span className="small">{sizeWords(unsent.bytes, language.code)}</span>
      </p>
      <div role="status">
        <NetworkNotice />
      </div>
      <NoticeList />
      <p className="small">{t('finishingBackgroundText')}</p>
      <Actions>
        <Button busy={busy('app.background')} onClick={() => send('app.background', {})}>
          {t('finishingBackground')}
        </Button>
      </Actions>
      <LaterSection />
    </Page>
  )
}
