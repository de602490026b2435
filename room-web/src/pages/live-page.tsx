import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Picture } from '@integrity/shared-ui/web/picture'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useLanguage } from '../components/language.ts'
import { LeaveButton } from '../components/leave-button.tsx'
import { CameraPicture, StillPicture } from '../components/pictures.tsx'
import type { RoomActions, Sending, StateNamed } from '../session/room.states.ts'

interface Props {
  readonly state: StateNamed<'live'>
  readonly room: RoomActions
}

/** What is not as it should be, in words; read out when it appears. */
const Notices = ({ state }: { readonly state: StateNamed<'live'> }) => {
  const { t } = useLanguage()
  const { sending, health } = state
  const { thinned, refused } = sending.progress
  return (
    <div role="status">
      {sending.reached ? null : <Notice kind="attention">{t('liveOffline')}</Notice>}
      {health === 'no_picture' ? <Notice kind="attention">{t('liveNoPicture')}</Notice> : null}
      {health === 'same_picture' ? <Notice kind="attention">{t('liveSamePicture')}</Notice> : null}
      {sending.broken ? <Notice kind="attention">{t('liveBroken')}</Notice> : null}
      {thinned > 0 ? <Notice>{t('liveThinned', { n: thinned })}</Notice> : null}
      {refused > 0 ? <Notice>{t('liveRefused', { n: refused })}</Notice> : null}
    </div>
  )
}

const LastSent = ({ still }: { readonly still: Sending['lastSent'] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const time = still && new Date(still.capturedAt).toLocaleTimeString(locale)
  return (
    <Section title={t('liveLast')}>
      {still ? <StillPicture still={still} alt={t('liveLast')} /> : <Picture src={undefined} alt="" />}
      <p className="small">{time ? t('liveLastAt', { time }) : t('liveNoneYet')}</p>
    </Section>
  )
}

/** Pictures are being taken: what the camera sees, what was sent, what waits, and how to stop. */
export const LivePage = ({ state, room }: Props) => {
  const { t, language } = useLanguage()
  const seconds = state.facts.config.camera.stillIntervalSeconds
  const { sent, waiting } = state.sending.progress
  return (
    <Page title={t('liveTitle')} wide>
      <div className={state.sending.broken ? 'recording paused' : 'recording'}>
        <span className="dot" aria-hidden="true" />
        <strong>
          {state.sending.broken
            ? t('liveNotKept')
            : t(seconds === 1 ? 'liveRecordingSecond' : 'liveRecording', { n: seconds })}
        </strong>
        <LeaveButton asks="stop" onConfirm={() => room.stop()} />
      </div>
      <Notices state={state} />
      <div className="pictures">
        <Section title={t('livePreview')}>
          <CameraPicture stream={state.stream} label={t('livePreview')} />
          <p className="small">{t('liveDevice', { name: state.device.label || t('cameraUnnamed', { n: 1 }) })}</p>
        </Section>
        <LastSent still={state.sending.lastSent} />
      </div>
      <Facts kind="counts">
        <Fact name={t('liveSent')} data-count="sent">
          {sent.toLocaleString(language.code)}
        </Fact>
        <Fact name={t('liveWaiting')} data-count="waiting">
          {waiting.toLocaleString(language.code)}
        </Fact>
      </Facts>
    </Page>
  )
}
