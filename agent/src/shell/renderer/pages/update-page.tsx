import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'

const Progress = ({
  update: { version = '', receivedBytes = 0, totalBytes },
}: {
  readonly update: WindowState['update']
}) => {
  const { t, language } = useLanguage()
  const of = (bytes: number) => sizeWords(bytes, language.code)
  return (
    <>
      <p>{t('updateGetting', { version })}</p>
      <p className="level">
        <progress aria-label={t('updateProgress')} value={totalBytes ? receivedBytes : undefined} max={totalBytes} />
        <span>{totalBytes ? `${of(receivedBytes)} / ${of(totalBytes)}` : of(receivedBytes)}</span>
      </p>
    </>
  )
}

const Ready = ({ version = '' }: { readonly version: string | undefined }) => {
  const { t } = useLanguage()
  return (
    <>
      <p>{t('updateReady', { version })}</p>
      <p>{t('updateInstallText')}</p>
    </>
  )
}

/** This version is too old: what is being done about it, or who helps. */
export const UpdatePage = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const { update, version } = state
  const { minimum } = update
  return (
    <Page title={t('updateTitle')} sign="info">
      <ProblemNotice />
      <p>{minimum ? t('updateText', { version, minimum }) : t('updateTextPlain', { version })}</p>
      {update.state === 'downloading' ? <Progress update={update} /> : null}
      <div role="status">
        {update.state === 'ready' ? <Ready version={update.version} /> : null}
        {update.state === 'refused' ? (
          <Notice kind="attention">
            <p>{t('updateRefused')}</p>
          </Notice>
        ) : null}
      </div>
      {update.state === 'ready' || update.state === 'downloading' ? null : <p>{t('updateAsk')}</p>}
      {update.detail ? (
        <details>
          <summary>{t('details')}</summary>
          <p className="small" lang="en">
            {update.detail}
          </p>
        </details>
      ) : null}
      <Actions>
        {update.state === 'ready' ? (
          <Button kind="main" busy={busy('update.install')} onClick={() => send('update.install', {})}>
            {t('updateInstall')}
          </Button>
        ) : null}
        <Button busy={busy('app.quit')} onClick={() => send('app.quit', {})}>
          {t('quit')}
        </Button>
      </Actions>
    </Page>
  )
}
