import { useAgent } from '../components/agent.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { Page } from '../components/shell.tsx'
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
    <section className="card" aria-labelledby="speaker">
      <h2 id="speaker">{t('speakerTitle')}</h2>
      <p>{t('speakerText')}</p>
      <p role="status">{t(`speaker.${test}`)}</p>
      <div className="actions">
        <button
          type="button"
          aria-disabled={test === 'playing' || busy('check.speaker')}
          onClick={() => (test === 'playing' ? undefined : play())}
        >
          {t('speakerPlay')}
        </button>
      </div>
    </section>
  )
}

const Begin = ({ waiting }: { readonly waiting: string }) => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  const begin = () => send('check.done', {})
  if (waiting === '')
    return (
      <button type="button" className="main" aria-disabled={busy('check.done')} onClick={begin}>
        {t('checkBegin')}
      </button>
    )
  return (
    <ConfirmButton
      label={t('checkBegin')}
      className="main"
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
      <div className="actions">
        <Begin waiting={waiting} />
        <button type="button" aria-disabled={busy('check.again')} onClick={() => send('check.again', {})}>
          {t('checkAllAgain')}
        </button>
        <button type="button" aria-disabled={busy('check.back')} onClick={() => send('check.back', {})}>
          {t('checkBack')}
        </button>
      </div>
    </Page>
  )
}
