import { Image, View } from 'react-native'
import { Disconnect } from '../components/ask-first.tsx'
import { Button } from '../components/button.tsx'
import { CheckList } from '../components/check-list.tsx'
import { Guides } from '../components/guides.tsx'
import { LiveView } from '../components/live-view'
import { AskGuide, UndoGuide } from '../components/permission-guide.tsx'
import { pictureUri } from '../components/picture-uri'
import { PlacementDrawing } from '../components/placement-drawing'
import { reasonTexts } from '../components/reasons.ts'
import { Body, Card, Heading, Notice, Soft, Title } from '../components/text-parts.tsx'
import { Tick } from '../components/tick.tsx'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import type { PlacementView } from '../session/placement.ts'
import type { OpenCamera } from '../session/session.ports.ts'
import type { Step } from '../session/session.types.ts'
import type { PhoneText } from '../texts/phone.ts'
import type { ScreenProps } from './screen.props.ts'

const stepTexts: Readonly<Record<Step, PhoneText>> = {
  height: 'stepHeight',
  angle: 'stepAngle',
  screen_visible: 'stepScreen',
  hands_visible: 'stepHands',
}

type Props = ScreenProps<'placement'>
interface PartProps {
  readonly placement: PlacementView
  readonly actions: Props['actions']
}

/** How the phone is to stand, what it sees, and a photo that is seen before it is sent: one screen. */
export const PlacementScreen = ({ state, actions }: Props) => {
  const { t } = useTexts()
  const { placement } = state
  const { camera, photo } = placement
  return (
    <>
      <Title>{t('placeTitle')}</Title>
      {!photo && <Body>{t('placeText')}</Body>}
      {!camera && <BeforeCamera placement={placement} actions={actions} />}
      {camera && !photo && <WithCamera placement={placement} actions={actions} camera={camera} />}
      {camera && photo && <Photo placement={placement} actions={actions} photo={photo} />}
      <Disconnect onYes={() => actions.unpair()} />
    </>
  )
}

const BeforeCamera = ({ placement: { problem, busy }, actions }: PartProps) => {
  const { t } = useTexts()
  return (
    <>
      {!problem && <PlacementDrawing />}
      {problem && <Notice>{t(reasonTexts[problem])}</Notice>}
      {problem === 'permission_denied' && <UndoGuide />}
      {!problem && <AskGuide />}
      <Button
        kind="primary"
        label={t(busy ? 'placeOpening' : problem ? 'tryAgain' : 'placeOpen')}
        disabled={busy}
        onPress={() => actions.openCamera()}
      />
    </>
  )
}

const WithCamera = ({ placement, actions, camera }: PartProps & { readonly camera: OpenCamera }) => {
  const { t } = useTexts()
  const { styles } = useTheme()
  return (
    <>
      <View style={styles.picture}>
        <LiveView camera={camera} label={t('liveViewLabel')} />
        <Guides />
      </View>
      <CheckList checks={placement.checks} />
      <Card>
        <Heading>{t('ticksTitle')}</Heading>
        <PlacementDrawing />
        {placement.answers.map(({ step, confirmed }) => (
          <Tick key={step} label={t(stepTexts[step])} ticked={confirmed} onPress={() => actions.tick(step)} />
        ))}
        <Soft>{t('ticksText')}</Soft>
      </Card>
      {placement.noPhoto && <Notice>{t('photoNone')}</Notice>}
      <Soft>{t('photoText')}</Soft>
      <Button kind="primary" label={t('photoTake')} disabled={placement.busy} onPress={() => actions.takePhoto()} />
    </>
  )
}

const Photo = ({ placement, actions, photo }: PartProps & { readonly photo: NonNullable<PlacementView['photo']> }) => {
  const { t } = useTexts()
  const { styles } = useTheme()
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
}
