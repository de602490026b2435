import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Page } from '@integrity/shared-ui/web/shell'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { LaneLight, type LaneState } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { playTone } from '../state/play-tone.ts'
import { CheckedRow, TroubledLane } from './check-lane.tsx'
import { CheckStage } from './check-stage.tsx'

const speakerLights: Readonly<Record<NonNullable<WindowState['check']>['speakerTest'], LaneState>> = {
  idle: 'off',
  playing: 'starting',
  heard: 'up',
  not_heard: 'degraded',
}

const Speaker = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const test = state.check?.speakerTest ?? 'idle'
  const play = () => {
    send('check.speaker', {})
    void playTone()
  }
  return (
    <li className="lane">
      <LaneLight state={speakerLights[test]} />
      <div className="words">
        <p className="line">
          <strong>{t('speakerTitle')}</strong> <span role="status">{t(`speaker.${test}`)}</span>
        </p>
        <p className="small">{t('speakerText')}</p>
      </div>
      <Button
        busy={test === 'playing' || busy('check.speaker')}
        onClick={() => (test === 'playing' ? undefined : play())}
      >
        {t('speakerPlay')}
      </Button>
    </li>
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

const troubles: readonly string[] = ['denied', 'missing', 'failed', 'silent']

/** Tries the devices of the agreed lanes and shows failures first; stores and sends nothing. */
export const CheckPage = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const lanes = state.check?.lanes ?? []
  const [troubled, fine] = [true, false].map((bad) => lanes.filter((lane) => troubles.includes(lane.state) === bad))
  const waiting = lanes
    .filter((lane) => lane.state !== 'working' && lane.state !== 'not_observable')
    .map(({ lane }) => t(`lane.${lane}`))
    .join(', ')
  return (
    <Page title={t('checkTitle')} wide>
      <ProblemNotice />
      <p>{t('checkText')}</p>
      {troubled?.map((lane) => (
        <TroubledLane key={lane.lane} checked={lane} />
      ))}
      <CheckStage lanes={lanes} />
      <ul className="lanes">
        {fine?.map((lane) => (
          <CheckedRow key={lane.lane} checked={lane} />
        ))}
        {lanes.some(({ lane }) => lane === 'system_audio') ? <Speaker /> : null}
      </ul>
      <div className="answer-bar">
        <p role="status">{waiting === '' ? t('checkReady') : t('checkNotReady', { lanes: waiting })}</p>
        <Actions>
          <Begin waiting={waiting} />
          <Button kind="quiet" busy={busy('check.again')} onClick={() => send('check.again', {})}>
            {t('checkAllAgain')}
          </Button>
          <Button kind="quiet" busy={busy('check.back')} onClick={() => send('check.back', {})}>
            {t('checkBack')}
          </Button>
        </Actions>
      </div>
    </Page>
  )
}
