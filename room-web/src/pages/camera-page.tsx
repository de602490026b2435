import { useLanguage } from '../components/language.tsx'
import { LeaveButton } from '../components/leave-button.tsx'
import { CameraPicture } from '../components/pictures.tsx'
import type { RoomActions, StateNamed } from '../session/room.states.ts'
import type { CameraDevice, CameraProblem } from '../session/room.types.ts'
import type { RoomText } from '../texts/room.ts'
import { Notice, Page } from '../ui/shell.tsx'

interface Props {
  readonly state: StateNamed<'camera'>
  readonly room: RoomActions
}

interface Words {
  readonly title: RoomText
  readonly texts: readonly RoomText[]
}

const problemTexts = {
  denied: { title: 'cameraDeniedTitle', texts: ['cameraDenied', 'cameraDeniedHow'] },
  none: { title: 'cameraNoneTitle', texts: ['cameraNone'] },
  busy: { title: 'cameraBusyTitle', texts: ['cameraBusy'] },
  lost: { title: 'cameraLostTitle', texts: ['cameraLost'] },
} as const satisfies Record<CameraProblem, Words>
const noProblem = { title: 'cameraTitle', texts: ['cameraText'] } as const satisfies Words

const CameraSelect = ({ state, room }: Props) => {
  const { t } = useLanguage()
  const chosen = state.preview?.device.id ?? ''
  if (state.devices.length === 0) return null
  const nameOf = (device: CameraDevice, index: number) => device.label || t('cameraUnnamed', { n: index + 1 })
  return (
    <p className="field">
      <label htmlFor="camera">{t('cameraSelect')}</label>
      <select id="camera" value={chosen} onChange={({ target }) => room.openCamera(target.value)}>
        {chosen === '' ? <option value="" /> : null}
        {state.devices.map((device, index) => (
          <option key={device.id} value={device.id}>
            {nameOf(device, index)}
          </option>
        ))}
      </select>
    </p>
  )
}

/** Choosing a camera and seeing its picture, before anything is sent. */
export const CameraPage = ({ state, room }: Props) => {
  const { t } = useLanguage()
  const { preview, problem, busy } = state
  const { title, texts }: Words = problem ? problemTexts[problem] : noProblem
  const mainAction = preview ? () => room.begin() : () => room.openCamera()
  const mainLabel: RoomText = preview ? 'cameraBegin' : problem ? 'cameraTryAgain' : 'cameraTurnOn'
  return (
    // A new key for a new title, so that it is read out.
    <Page key={title} title={t(title)}>
      {texts.map((key) => (
        <p key={key}>{t(key)}</p>
      ))}
      {preview || problem ? null : <p>{t('cameraPrompt')}</p>}
      <div role="status">{busy ? <Notice>{t('cameraTurningOn')}</Notice> : null}</div>
      {preview ? <CameraPicture stream={preview.stream} label={t('cameraPreview')} /> : null}
      <CameraSelect state={state} room={room} />
      <div className="actions">
        {/* The second press of a double click would start what has not been seen yet. */}
        <button
          type="button"
          className="main"
          aria-disabled={busy}
          onClick={(press) => !busy && press.detail < 2 && mainAction()}
        >
          {t(mainLabel)}
        </button>
        <LeaveButton asks="leave" onConfirm={() => room.stop()} />
      </div>
    </Page>
  )
}
