import type { RecordedLane } from '@integrity/protocol'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import type { LaneName } from '../state/consent-answers.ts'
import type { WindowText } from '../texts/window.ts'
import { useLanguage } from './language.tsx'
import { StepPicture, type StepPictureName } from './step-pictures.tsx'

type Step = readonly [picture: StepPictureName, text: WindowText]
type Platform = WindowState['platform']

const again: Step = ['again', 'step.again']
const mac = (list: WindowText): readonly Step[] => [
  ['settings', 'step.darwin.open'],
  ['list', list],
  ['switch', 'step.switch'],
  ['restart', 'step.darwin.restart'],
  again,
]
const windows = (list: WindowText): readonly Step[] => [
  ['settings', 'step.win32.open'],
  ['list', list],
  ['switch', 'step.win32.desktop'],
  again,
]
const privacy: readonly Step[] = [['settings', 'step.linux.open'], ['switch', 'step.linux.privacy'], again]
const sound: readonly Step[] = [['settings', 'step.linux.open'], ['sound', 'step.linux.sound'], again]
const other: readonly Step[] = [['settings', 'step.other'], again]

/** Where each operating system keeps its permission for each device, in the order of the hands. */
const steps: Readonly<Record<Platform, Readonly<Record<RecordedLane, readonly Step[]>>>> = {
  darwin: {
    screen: mac('step.darwin.screen'),
    system_audio: mac('step.darwin.screen'),
    camera: mac('step.darwin.camera'),
    microphone: mac('step.darwin.microphone'),
  },
  win32: {
    screen: [['share', 'step.win32.screen'], again],
    system_audio: [['sound', 'step.win32.sound'], again],
    camera: windows('step.win32.camera'),
    microphone: windows('step.win32.microphone'),
  },
  linux: {
    screen: [['share', 'step.linux.screen'], again],
    system_audio: sound,
    camera: privacy,
    microphone: sound,
  },
  other: { screen: other, system_audio: other, camera: other, microphone: other },
}

const isDevice = (lane: LaneName): lane is RecordedLane => lane in steps.other

/** How a permission is given on this operating system, in words and drawings. */
export const PermissionSteps = ({ lane, platform }: { readonly lane: LaneName; readonly platform: Platform }) => {
  const { t } = useLanguage()
  const own = isDevice(lane) ? steps[platform][lane] : other
  return (
    <>
      <h3>{t('checkStepsTitle')}</h3>
      <ol className="steps">
        {own.map(([picture, text]) => (
          <li key={text}>
            <StepPicture name={picture} platform={platform} />
            <span>{t(text)}</span>
          </li>
        ))}
      </ol>
    </>
  )
}
