import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLanguage } from '../components/language.ts'
import { LeaveButton } from '../components/leave-button.tsx'
import { CameraPicture } from '../components/pictures.tsx'
import type { RoomActions, StateNamed } from '../session/room.states.ts'
import type { CameraProblem } from '../session/room.types.ts'
import type { RoomText } from '../texts/room.ts'

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
  const named = state.devices.map(({ id, label }, index) => ({
    id,
    label: label || t('cameraUnnamed', { n: index + 1 }),
  }))
  return (
    <SelectField
      label={t('cameraSelect')}
      value={chosen}
      options={chosen === '' ? [{ id: '', label: '' }, ...named] : named}
      onChange={(id) => room.openCamera(id)}
    />
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
      <Actions>
        {/* The second press of a double click would start what has not been seen yet. */}
        <Button kind="main" busy={busy} onClick={(press) => !busy && press.detail < 2 && mainAction()}>
          {t(mainLabel)}
        </Button>
        <LeaveButton asks="leave" onConfirm={() => room.stop()} />
      </Actions>
    </Page>
  )
}
