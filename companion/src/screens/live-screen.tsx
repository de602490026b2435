import { phoneSizes } from '@integrity/protocol/clients/tokens'
import { Text, View } from 'react-native'
import { agoText } from '../components/ago-text.ts'
import { AskFirst } from '../components/ask-first.tsx'
import { Cover } from '../components/cover.tsx'
import { LiveView } from '../components/live-view'
import { Page } from '../components/page.tsx'
import { UndoGuide } from '../components/permission-guide.tsx'
import { reasonTexts } from '../components/reasons.ts'
import { Body, Card, Fact, Heading, Notice, Soft, Title } from '../components/text-parts.tsx'
import { waitingText } from '../components/waiting-text.ts'
import { useAppointment } from '../hooks/use-appointment.ts'
import { useNow } from '../hooks/use-now.ts'
import { useStillness } from '../hooks/use-stillness.ts'
import { useLocale, useTexts, type Words } from '../hooks/use-texts.tsx'
import { type Theme, useTheme } from '../hooks/use-theme.ts'
import type { LiveMode } from '../session/live.ts'
import type { DeviceReading } from '../session/session.ports.ts'
import type { Pairing } from '../session/session.types.ts'
import type { PhoneText } from '../texts/phone.ts'
import type { ScreenProps } from './screen.props.ts'

type Props = ScreenProps<'live'>

const modeTexts: Readonly<Record<LiveMode, PhoneText>> = {
  opening: 'modeOpening',
  waiting: 'modeWaiting',
  recording: 'modeRecording',
  preview: 'modePreview',
  interrupted: 'modeInterrupted',
  paused: 'modePaused',
}

/** What must be seen from across a desk has a ground of its own. */
const modeColours: Partial<Record<LiveMode, readonly [keyof Theme['colours'], keyof Theme['colours']]>> = {
  recording: ['red', 'onRed'],
  interrupted: ['interrupted', 'onInterrupted'],
}

/** Of 1. Below it a phone that films may last less than an interview. */
const lowBattery = 0.2

const isUnplugged = (device: DeviceReading | undefined): boolean => device?.battery != null && device.charging === false
const isLow = (device: DeviceReading | undefined): boolean =>
  isUnplugged(device) && (device?.battery ?? 1) <= lowBattery

/** What goes on by itself, and needs nobody to look. */
const restful: readonly LiveMode[] = ['waiting', 'recording', 'preview', 'paused']

/** `mm:ss`, with hours in front when there are any. */
const clockText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

const batteryText = (t: Words['t'], device: DeviceReading | undefined): string => {
  if (device?.battery == null) return t('batteryUnknown')
  return t(device.charging ? 'batteryCharging' : 'batteryPercent', { n: Math.round(device.battery * 100) })
}

/** What is recorded, whether it arrives, and how to stop, which stays in view. The screen rests when nobody touches it. */
export const LiveScreen = ({ state, actions }: Props) => {
  const { t } = useTexts()
  const { mode, device } = state.live
  const calm = restful.includes(mode) && !isLow(device)
  const { still, wake } = useStillness(calm)
  const footer = { label: t('stopBar'), content: <Stop onStop={() => actions.unpair()} /> }
  return (
    <Page
      footer={footer}
      cover={still && <Cover text={t(modeTexts[mode])} recording={mode === 'recording'} onWake={wake} />}
    >
      <Title>{t('liveTitle')}</Title>
      <Mode mode={mode} />
      <Running state={state} />
      <Facts state={state} />
      <Notices state={state} />
      <Who pairing={state.pairing} off={mode === 'paused'} />
      <Soft>{t('leaveOpen')}</Soft>
      {calm && mode !== 'paused' && <Soft>{t('liveDims')}</Soft>}
    </Page>
  )
}

/** The camera, and what is the matter with it. */
const Running = ({ state: { live } }: Pick<Props, 'state'>) => {
  const { t } = useTexts()
  const locale = useLocale()
  const { styles } = useTheme()
  const back =
    live.backAt === undefined
      ? undefined
      : new Date(live.backAt).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  return (
    <>
      {live.reason && <Notice>{t(reasonTexts[live.reason])}</Notice>}
      {live.reason === 'permission_denied' && <UndoGuide />}
      {back !== undefined && <Soft>{t('modeBack', { time: back })}</Soft>}
      {live.cannotFilm && <Notice>{t('cannotFilm')}</Notice>}
      {live.camera && (
        <View style={styles.picture}>
          <LiveView camera={live.camera} label={t('liveViewLabel')} />
        </View>
      )}
    </>
  )
}

const Facts = ({ state }: Pick<Props, 'state'>) => {
  const { t } = useTexts()
  const now = useNow() + state.clockAhead
  const { live, sending, pairing } = state
  const contact = sending.lastContact
  const waiting = waitingText(t, sending)
  return (
    <Card>
      <Fact name={t('elapsed')} value={clockText(now - (pairing.liveSince ?? now))} />
      <Fact name={t('lastContact')} value={agoText(t, contact, now)} />
      <Fact name={t('battery')} value={batteryText(t, live.device)} />
      {waiting !== undefined && <Fact name={t('waiting')} value={waiting} />}
    </Card>
  )
}

interface WhoProps {
  readonly pairing: Pairing
  /** There is no picture for anybody to see. */
  readonly off: boolean
}

/** Whose interview it is, who sees the picture, and what is not recorded. */
const Who = ({ pairing: { org, session, config }, off }: WhoProps) => {
  const { t } = useTexts()
  const when = useAppointment(session)
  return (
    <Card>
      <Body>{t(when ? 'liveInterview' : 'liveInterviewUndated', { org: org.name, when: when ?? '' })}</Body>
      {!off && (
        <>
          <Heading>{t('liveWho')}</Heading>
          <Body>{t(config.sideView.recording ? 'liveSeenClips' : 'liveSeenNoClips', { org: org.name })}</Body>
        </>
      )}
      <Body>{t('liveNothing')}</Body>
    </Card>
  )
}

const Mode = ({ mode }: { readonly mode: LiveMode }) => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  const [ground, on] = modeColours[mode] ?? ['surface', 'text']
  const colour = colours[on]
  return (
    <View
      role="status"
      aria-live="assertive"
      style={[styles.card, styles.row, { backgroundColor: colours[ground], flexWrap: 'nowrap' }]}
    >
      <View
        aria-hidden
        style={{
          width: 16,
          height: 16,
          borderRadius: mode === 'recording' ? 8 : 2,
          backgroundColor: mode === 'recording' ? colour : 'transparent',
          borderWidth: phoneSizes.line,
          borderColor: colour,
        }}
      />
      <Text style={[styles.heading, { color: colour, flexShrink: 1 }]}>{t(modeTexts[mode])}</Text>
    </View>
  )
}

const Notices = ({ state }: Pick<Props, 'state'>) => {
  const { t } = useTexts()
  const { sending, clockAhead } = state
  const { device } = state.live
  return (
    <>
      {!sending.reached && <Notice>{t('offline')}</Notice>}
      {isUnplugged(device) && <Notice>{t(isLow(device) ? 'batteryLow' : 'batteryPlug')}</Notice>}
      {clockAhead !== 0 && <Notice>{t('clockWrong')}</Notice>}
      {sending.dropped > 0 && <Notice>{t('dropped', { n: sending.dropped })}</Notice>}
      {sending.refused > 0 && <Notice>{t('refused', { n: sending.refused })}</Notice>}
    </>
  )
}

const Stop = ({ onStop }: { readonly onStop: () => void }) => (
  <AskFirst label="stop" question="stopSure" text="stopText" yes="stopYes" no="stopNo" onYes={onStop} />
)
