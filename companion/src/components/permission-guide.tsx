import { useTexts } from '../hooks/use-texts.tsx'
import { surroundings } from '../platform/system'
import type { System } from '../platform/system.types.ts'
import type { PhoneText } from '../texts/phone.ts'
import { Button } from './button.tsx'
import { DialogPicture, SettingsPicture } from './permission-pictures.tsx'
import { Body, Card, Heading, Soft } from './text-parts.tsx'

const asking: Readonly<Record<System, readonly PhoneText[]>> = {
  ios: ['askIos', 'askIosMotion'],
  android: ['askAndroid'],
  computer: ['askComputer'],
  iosApp: ['askIosApp'],
  androidApp: ['askAndroidApp'],
}
const undoing: Readonly<Record<System, readonly PhoneText[]>> = {
  ios: ['undoIos', 'undoIosBrowser'],
  android: ['undoAndroid', 'undoAndroidBrowser'],
  computer: ['undoComputer'],
  iosApp: ['undoIosApp'],
  androidApp: ['undoAndroidApp'],
}

/** Before the system asks: which dialog comes, and what to press. */
export const AskGuide = () => {
  const { t } = useTexts()
  const { system, site } = surroundings()
  return (
    <Card>
      <Heading>{t('askTitle')}</Heading>
      {asking[system].map((text) => (
        <Body key={text}>{t(text)}</Body>
      ))}
      <DialogPicture system={system} site={site} />
      <Soft>{t('askOnlyCamera')}</Soft>
    </Card>
  )
}

/** After a refusal: where it is taken back. */
export const UndoGuide = () => {
  const { t } = useTexts()
  const { system, site, openSettings } = surroundings()
  return (
    <Card>
      <Heading>{t('undoTitle')}</Heading>
      {undoing[system].map((text) => (
        <Body key={text}>{t(text)}</Body>
      ))}
      <SettingsPicture system={system} site={site} />
      <Body>{t('undoThen')}</Body>
      {openSettings && <Button label={t('openSettings')} onPress={openSettings} />}
    </Card>
  )
}
