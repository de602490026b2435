import { phoneSizes } from '@integrity/protocol/clients/tokens'
import { useState } from 'react'
import { Text, View } from 'react-native'
import { Button } from '../components/button.tsx'
import { LiveView } from '../components/live-view'
import { UndoGuide } from '../components/permission-guide.tsx'
import { reasonTexts } from '../components/reasons.ts'
import { Card, Fact, Heading, Notice, Soft, Title } from '../components/text-parts.tsx'
import { useNow } from '../hooks/use-now.ts'
import { useTexts, type Words } from '../hooks/use-texts.tsx'
import { type Theme, useTheme } from '../hooks/use-theme.ts'
import type { LiveMode } from '../session/live.ts'
import type { DeviceReading } from '../session/session.ports.ts'
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

/** What is recorded, whether it arrives, and how to stop. */
export const LiveScreen = ({ state, actions }: Props) => {
  const { t, language } = useTexts()
  const { styles } = useTheme()
  const now = useNow() + state.clockAhead
  const { live, sending, pairing } = state
  const contact = sending.lastContact
  const ago = contact === undefined ? 0 : Math.max(0, Math.round((now - contact) / 1000))
  const back = live.backAt === undefined ? undefined : new Date(live.backAt).toLocaleTimeString(language.code)
  const waiting = sending.beatsWaiting + sending.filesWaiting > 0
  return (
    <>
      <Title>{t('liveTitle')}</Title>
      <Mode mode={live.mode} />
      {live.reason && <Notice>{t(reasonTexts[live.reason])}</Notice>}
      {live.reason === 'permission_denied' && <UndoGuide />}
      {back !== undefined && <Soft>{t('modeBack', { time: back })}</Soft>}
      {live.cannotFilm && <Notice>{t('cannotFilm')}</Notice>}
      {live.camera && (
        <View style={styles.picture}>
          <LiveView camera={live.camera} label={t('liveViewLabel')} />
        </View>
      )}
      <Card>
        <Fact name={t('elapsed')} value={clockText(now - (pairing.liveSince ?? now))} />
        <Fact
          name={t('lastContact')}
          value={contact === undefined ? t('lastContactNone') : t('secondsAgo', { n: ago })}
        />
        <Fact name={t('battery')} value={batteryText(t, live.device)} />
        {waiting && (
          <Fact
            name={t('waiting')}
            value={t('waitingSome', { n: sending.beatsWaiting, files: sending.filesWaiting })}
          />
        )}
      </Card>
      <Notices state={state} />
      <Soft>{t('leaveOpen')}</Soft>
      <Stop onStop={() => actions.unpair()} />
    </>
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
  const unplugged = device?.battery != null && device.charging === false
  return (
    <>
      {!sending.reached && <Notice>{t('offline')}</Notice>}
      {unplugged && <Notice>{t((device.battery ?? 1) <= lowBattery ? 'batteryLow' : 'batteryPlug')}</Notice>}
      {clockAhead !== 0 && <Notice>{t('clockWrong')}</Notice>}
      {sending.dropped > 0 && <Notice>{t('dropped', { n: sending.dropped })}</Notice>}
      {sending.refused > 0 && <Notice>{t('refused', { n: sending.refused })}</Notice>}
    </>
  )
}

const Stop = ({ onStop }: { readonly onStop: () => void }) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const [asking, setAsking] = useState(false)
  if (!asking) return <Button label={t('stop')} onPress={() => setAsking(true)} />
  return (
    <View role="status" aria-live="polite">
      <Card>
        <Heading>{t('stopSure')}</Heading>
        <Soft>{t('stopText')}</Soft>
        <View style={styles.buttons}>
          <Button label={t('stopNo')} onPress={() => setAsking(false)} />
          <Button kind="primary" label={t('stopYes')} onPress={onStop} />
        </View>
      </Card>
    </View>
  )
}
