import { Actions, Button } from '@integrity/room-web/ui/button'
import { Section } from '@integrity/room-web/ui/section'
import { SelectField } from '@integrity/room-web/ui/select-field'
import { Notice } from '@integrity/room-web/ui/shell'
import type { ReactNode } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { LaneLight, type LaneState } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { LevelMeter } from '../components/level-meter.tsx'
import { PermissionSteps } from '../components/permission-steps.tsx'
import { PreviewPicture } from '../components/preview-picture.tsx'
import { previewOf } from '../state/lane-facts.ts'
import type { WindowText } from '../texts/window.ts'

type Checked = NonNullable<WindowState['check']>['lanes'][number]

const lightOf: Readonly<Record<Checked['state'], LaneState>> = {
  trying: 'starting',
  working: 'up',
  silent: 'degraded',
  denied: 'down',
  missing: 'down',
  failed: 'down',
  not_observable: 'off',
}

/** A lane without a device of its own is not told to plug one in. */
const wordsOf = ({ lane, state }: Checked): WindowText =>
  state === 'missing' && previewOf(lane) === 'none' ? 'checkState.unavailable' : `checkState.${state}`

const helpOf = ({ lane, state }: Checked): WindowText | undefined => {
  const kind = previewOf(lane)
  switch (state) {
    case 'silent':
      if (kind === 'level') return 'checkHelp.silent.sound'
      return kind === 'none' ? 'checkHelp.silent.other' : 'checkHelp.silent.picture'
    case 'missing':
    case 'failed':
      return kind === 'none' ? 'checkHelp.unavailable' : `checkHelp.${state}`
    case 'not_observable':
      return 'checkHelp.not_observable'
    default:
      return undefined
  }
}

const Displays = ({ checked: { lane, displays } }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  return displays.map(({ id, label, working }) => (
    <figure key={id}>
      <PreviewPicture lane={lane} displayId={id} alt={t('checkDisplayPicture', { name: label })} />
      <figcaption>
        <LaneLight state={working ? 'up' : 'starting'} />
        <span>
          {t('checkDisplay', { name: label })} – {t(working ? 'checkState.working' : 'checkState.trying')}
        </span>
      </figcaption>
    </figure>
  ))
}

const Tried = ({ checked }: { readonly checked: Checked }): ReactNode => {
  const { t } = useLanguage()
  // Something that nobody gives shows no empty picture.
  if (!['working', 'silent', 'trying'].includes(checked.state)) return null
  switch (previewOf(checked.lane)) {
    case 'displays':
      return <Displays checked={checked} />
    case 'picture':
      return <PreviewPicture lane={checked.lane} alt={t('checkCameraPicture')} />
    case 'level':
      return <LevelMeter lane={checked.lane} />
    case 'none':
      return null
  }
}

const DeviceChoice = ({ checked: { lane, device, devices } }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  const { send } = useAgent()
  if (devices.length < 2) return device ? <p className="small">{device}</p> : null
  const chosen = devices.find((one) => one.id === device || one.label === device)
  return (
    <SelectField
      label={t('checkDevice')}
      value={chosen?.id ?? devices[0]?.id ?? ''}
      options={devices}
      onChange={(deviceId) => send('check.choose', { lane, deviceId })}
    />
  )
}

const Help = ({ checked }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  const { platform } = useAgent().state
  const help = helpOf(checked)
  return (
    <>
      {help ? <p>{t(help)}</p> : null}
      {checked.state === 'denied' ? <PermissionSteps lane={checked.lane} platform={platform} /> : null}
      {checked.needsRestart ? (
        <Notice>
          <p>{t('checkRestart')}</p>
        </Notice>
      ) : null}
      {checked.detail ? (
        <details>
          <summary>{t('details')}</summary>
          <p className="small" lang="en">
            {checked.detail}
          </p>
        </details>
      ) : null}
    </>
  )
}

/** One lane of the check: whether it works, what it gives, which device, and what to do where it does not. */
export const CheckLane = ({ checked }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  const { send } = useAgent()
  const { lane, state, settings, driver, needsRestart } = checked
  return (
    <Section card title={t(`lane.${lane}`)} data-lane={lane}>
      <p className="state">
        <LaneLight state={lightOf[state]} />
        <strong>{t(wordsOf(checked))}</strong>
      </p>
      <Tried checked={checked} />
      <DeviceChoice checked={checked} />
      <Help checked={checked} />
      {driver && state === 'working' ? <p className="small">{t('checkDriver', { driver })}</p> : null}
      <Actions>
        {settings && state !== 'working' ? (
          <Button onClick={() => send('check.settings', { lane })}>{t('checkSettings')}</Button>
        ) : null}
        {state === 'working' ? null : (
          <Button aria-label={`${t('checkAgain')}: ${t(`lane.${lane}`)}`} onClick={() => send('check.again', { lane })}>
            {t('checkAgain')}
          </Button>
        )}
        {needsRestart ? <Button onClick={() => send('app.quit', {})}>{t('quit')}</Button> : null}
      </Actions>
    </Section>
  )
}
