import { Actions, Button } from '@integrity/room-web/ui/button'
import { ConfirmButton } from '@integrity/room-web/ui/confirm-button'
import { Section } from '@integrity/room-web/ui/section'
import { Page } from '@integrity/room-web/ui/shell'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { playTone } from '../state/play-tone.ts'
import { CheckLane } from './check-lane.tsx'

const Speaker = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const test = state.check?.speakerTest ?? 'idle'
  const play = () => {
    send('check.speaker', {})
    void playTone()
  }
  return (
    <Section card title={t('speakerTitle')}>
      <p>{t('speakerText')}</p>
      <p role="status">{t(`speaker.${test}`)}</p>
      <Actions>
        <Button
          busy={test === 'playing' || busy('check.speaker')}
          onClick={() => (test === 'playing' ? undefined : play())}
        >
          {t('speakerPlay')}
        </Button>
      </Actions>
    </Section>
  )
}

const Begin = ({ waiting }: { readonly waiting: string }) => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  const begin = () => send('check.done', {})
  if (waiting === '')
    return (
      <Button kind="main" busy={busy('check.done')} onClick={begin}>
        {t('checkBegin')}
      </Button>
    )
  return (
    <ConfirmButton
      label={t('checkBegin')}
      kind="main"
      title={t('beginTitle')}
      confirm={t('beginConfirm')}
      cancel={t('back')}
      busy={busy('check.done')}
      onConfirm={begin}
    >
      <p>{t('beginText', { lanes: waiting })}</p>
    </ConfirmButton>
  )
}

/** The devices of what was agreed are tried; nothing is kept or sent. */
export const CheckPage = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const lanes = state.check?.lanes ?? []
  const waiting = lanes
    .filter((lane) => lane.state !== 'working' && lane.state !== 'not_observable')
    .map(({ lane }) => t(`lane.${lane}`))
    .join(', ')
  return (
    <Page title={t('checkTitle')} wide>
      <ProblemNotice />
      <p>{t('checkText')}</p>
      <div className="cards">
        {lanes.map((lane) => (
          <CheckLane key={lane.lane} checked={lane} />
        ))}
        {lanes.some(({ lane }) => lane === 'system_audio') ? <Speaker /> : null}
      </div>
      <p role="status">{waiting === '' ? t('checkReady') : t('checkNotReady', { lanes: waiting })}</p>
      <p className="small">{t('checkNow')}</p>
      <Actions>
        <Begin waiting={waiting} />
        <Button busy={busy('check.again')} onClick={() => send('check.again', {})}>
          {t('checkAllAgain')}
        </Button>
        <Button busy={busy('check.back')} onClick={() => send('check.back', {})}>
          {t('checkBack')}
        </Button>
      </Actions>
    </Page>
  )
}
