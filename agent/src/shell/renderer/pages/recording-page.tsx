import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { LaneLight } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { NoticeList } from '../components/notice-list.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { NetworkNotice, Sending } from '../components/sending.tsx'
import { useNow } from '../components/use-now.ts'
import { useOrg } from '../components/use-org.ts'
import { elapsed } from '../state/formats.ts'
import { AskedLater } from './asked-later.tsx'
import { PhonePanel } from './phone-panel.tsx'
import { RecordedLanes } from './recorded-lanes.tsx'

/** Below it the difference is told in seconds, milliseconds. */
const minutesFrom = 120_000

const ClockNotice = () => {
  const { t } = useLanguage()
  const { clockAheadMs } = useAgent().state
  if (clockAheadMs === undefined) return null
  const away = Math.abs(clockAheadMs)
  const time =
    away < minutesFrom ? t('seconds', { n: Math.round(away / 1000) }) : t('minutes', { n: Math.round(away / 60_000) })
  return (
    <Notice>
      <p>{t(clockAheadMs > 0 ? 'clockAhead' : 'clockBehind', { time })}</p>
    </Notice>
  )
}

const Elapsed = ({ since }: { readonly since: number }) => {
  const { t } = useLanguage()
  return (
    <span className="elapsed" role="timer" aria-label={t('elapsed')}>
      {elapsed(useNow() - since)}
    </span>
  )
}

const EndButton = () => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  return (
    <ConfirmButton
      label={t('end')}
      title={t('endTitle')}
      confirm={t('endConfirm')}
      confirmKind="stop"
      cancel={t('goOn')}
      busy={busy('recording.end')}
      onConfirm={() => send('recording.end', {})}
    >
      <p>{t('endText')}</p>
    </ConfirmButton>
  )
}

/** Whether one of the agreed breaks runs. */
const isInBreak = ({ screen, recording }: WindowState): boolean =>
  screen === 'paused' && recording?.breaks?.endsAt !== undefined

/** One of the agreed breaks begins and ends with one press of the same button, so that the focus stays; it says what is left. */
const BreakButton = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const breaks = state.recording?.breaks
  const inBreak = isInBreak(state)
  if (!breaks || !(inBreak || (state.screen === 'recording' && breaks.left > 0))) return null
  const command = inBreak ? 'recording.resume' : 'recording.break'
  return (
    <Button busy={busy(command)} onClick={() => send(command, {})}>
      {inBreak ? t('breakEnd') : t('breakBegin', { minutes: breaks.minutes, left: breaks.left })}
    </Button>
  )
}

/** When the break that runs ends by itself. */
const BreakNotice = () => {
  const { t } = useLanguage()
  const { screen, recording } = useAgent().state
  const now = useNow()
  const endsAt = recording?.breaks?.endsAt
  if (screen !== 'paused' || endsAt === undefined) return null
  return (
    <Notice>
      <p>{t('breakText', { time: elapsed(Math.max(0, endsAt - now)) })}</p>
    </Notice>
  )
}

const Banner = () => {
  const { t } = useLanguage()
  const { state, send, busy } = useAgent()
  const paused = state.screen === 'paused'
  const inBreak = isInBreak(state)
  const command = paused ? 'recording.resume' : 'recording.pause'
  return (
    <div className={paused ? 'recording paused' : 'recording'}>
      <LaneLight state={paused ? 'paused' : 'up'} />
      <strong>{t(inBreak ? 'breakState' : paused ? 'pausedState' : 'recordingState')}</strong>
      <Elapsed since={state.recording?.startedAt ?? 0} />
      <Actions>
        <BreakButton />
        {state.recording?.pauseAllowed && !inBreak ? (
          <Button busy={busy(command)} onClick={() => send(command, {})}>
            {t(paused ? 'resume' : 'pause')}
          </Button>
        ) : null}
        <EndButton />
      </Actions>
    </div>
  )
}

/** In one line whether all of it works; what does not is named, and its row says why. Silent where it would promise too much. */
const Health = ({ lanes }: { readonly lanes: NonNullable<WindowState['recording']>['lanes'] }) => {
  const { t } = useLanguage()
  const { notices } = useAgent().state
  const named = lanes
    .filter(({ state }) => state === 'down' || state === 'degraded')
    .map(({ lane }) => t(`lane.${lane}`))
  const starting = lanes.some(({ state }) => state === 'starting')
  const kept = notices.every(({ kind }) => kind !== 'storage_full')
  const well = kept && !starting && lanes.some(({ state }) => state === 'up')
  if (named.length === 0 && !well) return null
  return (
    <p className="state">
      <LaneLight state={well && named.length === 0 ? 'up' : 'degraded'} />
      <strong>{named.length > 0 ? t('recordingNotWell', { lanes: named.join(', ') }) : t('recordingWell')}</strong>
    </p>
  )
}

/** What is recorded at this moment, what was sent and what waits, and how to pause, withdraw and end. */
export const RecordingPage = () => {
  const { t } = useLanguage()
  const { screen, recording, session } = useAgent().state
  const org = useOrg()
  if (!recording) return null
  const { requiredApps } = recording
  return (
    <Page title={t(screen === 'paused' ? 'pausedTitle' : 'recordingTitle')} wide>
      <Banner />
      <BreakNotice />
      <ProblemNotice />
      <NetworkNotice />
      <ClockNotice />
      <NoticeList />
      <AskedLater asked={recording.asked} />
      {screen === 'recording' ? <Health lanes={recording.lanes} /> : null}
      <RecordedLanes lanes={recording.lanes} paused={screen === 'paused'} />
      <Section title={t('sendingTitle')}>
        <Sending />
      </Section>
      <PhonePanel />
      {session?.callIn ? <p>{t('callIn', { app: session.callIn })}</p> : null}
      {requiredApps.length > 0 ? <p>{t('requiredApps', { apps: requiredApps.join(', ') })}</p> : null}
      <Section title={t('nextTitle')}>
        <p>{t('nextEnd', { org })}</p>
        <p className="small">{t('closeHint')}</p>
      </Section>
    </Page>
  )
}
