import { Image, View } from 'react-native'
import { Button } from '../components/button.tsx'
import { Guides } from '../components/guides.tsx'
import { LiveView } from '../components/live-view'
import { AskGuide, UndoGuide } from '../components/permission-guide.tsx'
import { pictureUri } from '../components/picture-uri'
import { reasonTexts } from '../components/reasons.ts'
import { Body, Card, Fact, Heading, Notice, Soft, Title } from '../components/text-parts.tsx'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { Checks, PlacementView } from '../session/placement.ts'
import { type Step, steps } from '../session/session.types.ts'
import type { PhoneText } from '../texts/phone.ts'
import type { ScreenProps } from './screen.props.ts'

const stepTexts: Readonly<Record<Step, PhoneText>> = {
  height: 'stepHeight',
  angle: 'stepAngle',
  screen_visible: 'stepScreen',
  hands_visible: 'stepHands',
}
const frameTexts: Readonly<Record<Checks['frame'], PhoneText>> = {
  good: 'frameGood',
  unknown: 'frameUnknown',
  too_dark: 'frameTooDark',
  too_bright: 'frameTooBright',
  blurred: 'frameBlurred',
}
const motionTexts: Readonly<Record<Checks['motion'], PhoneText>> = {
  good: 'motionGood',
  unknown: 'motionUnknown',
  leaning: 'motionLeaning',
  moving: 'motionMoving',
}

type Props = ScreenProps<'placement'>

/** Four steps with the picture in sight, then a photo that is seen before it is sent. */
export const PlacementScreen = ({ state, actions }: Props) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const { placement } = state
  const { camera, photo } = placement
  return (
    <>
      <Title>{t('placeTitle')}</Title>
      <Body>{t('placeText')}</Body>
      {placement.problem && <Notice>{t(reasonTexts[placement.problem])}</Notice>}
      {placement.problem === 'permission_denied' && <UndoGuide />}
      {!camera && !placement.problem && <AskGuide />}
      {!camera && (
        <Button
          kind="primary"
          label={t(placement.busy ? 'placeOpening' : placement.problem ? 'tryAgain' : 'placeOpen')}
          disabled={placement.busy}
          onPress={() => actions.openCamera()}
        />
      )}
      {camera && !photo && (
        <View style={styles.picture}>
          <LiveView camera={camera} label={t('liveViewLabel')} />
          <Guides step={steps[placement.answers.length]} />
        </View>
      )}
      {camera && !photo && <CheckCard checks={placement.checks} />}
      {camera && <Steps placement={placement} actions={actions} />}
      <Button label={t('disconnect')} onPress={() => actions.unpair()} />
    </>
  )
}

const CheckCard = ({ checks }: { readonly checks: Checks }) => {
  const { t } = useTexts()
  return (
    <View role="status" aria-live="polite">
      <Card>
        <Fact name={t('frameLabel')} value={t(frameTexts[checks.frame])} />
        <Fact name={t('motionLabel')} value={t(motionTexts[checks.motion])} />
      </Card>
    </View>
  )
}

const Steps = ({ placement, actions }: { readonly placement: PlacementView; readonly actions: Props['actions'] }) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const at = placement.answers.length
  const step = steps[at]
  const back = at > 0 && <Button label={t('placeBack')} onPress={() => actions.stepBack()} />
  if (step === undefined) return <Photo placement={placement} actions={actions} back={back} />
  return (
    <Card>
      <Heading>{t('placeStep', { n: at + 1, all: steps.length })}</Heading>
      <View aria-live="polite">
        <Body>{t(stepTexts[step])}</Body>
      </View>
      <View style={styles.buttons}>
        <Button kind="primary" label={t('placeYes')} onPress={() => actions.confirmStep(true)} />
        <Button label={t('placeNo')} onPress={() => actions.confirmStep(false)} />
        {back}
      </View>
    </Card>
  )
}

interface PhotoProps {
  readonly placement: PlacementView
  readonly actions: Props['actions']
  readonly back: React.ReactNode
}

const Photo = ({ placement, actions, back }: PhotoProps) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  const { photo } = placement
  if (photo)
    return (
      <Card>
        <Heading>{t('photoShown')}</Heading>
        {placement.full && <Notice>{t('reasonStorage')}</Notice>}
        <Image source={{ uri: pictureUri(photo) }} aria-label={t('photoLabel')} style={styles.picture} />
        <View style={styles.buttons}>
          <Button kind="primary" label={t('photoSend')} onPress={() => actions.sendPhoto()} />
          <Button label={t('photoAgain')} onPress={() => actions.retakePhoto()} />
        </View>
      </Card>
    )
  return (
    <Card>
      <Heading>{t('photoTitle')}</Heading>
      <Soft>{t('photoText')}</Soft>
      {placement.noPhoto && <Notice>{t('photoNone')}</Notice>}
      <View style={styles.buttons}>
        <Button kind="primary" label={t('photoTake')} disabled={placement.busy} onPress={() => actions.takePhoto()} />
        {back}
      </View>
    </Card>
  )
}
