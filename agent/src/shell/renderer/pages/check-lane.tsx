import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Notice } from '@integrity/shared-ui/web/shell'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { LaneLight, type LaneState } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { LevelMeter } from '../components/level-meter.tsx'
import { PermissionSteps } from '../components/permission-steps.tsx'
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

const State = ({ checked }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  return (
    <p className="state">
      <LaneLight state={lightOf[checked.state]} />
      <strong>{t(wordsOf(checked))}</strong>
    </p>
  )
}

const Again = ({ lane }: Pick<Checked, 'lane'>) => {
  const { t } = useLanguage()
  const { send } = useAgent()
  return (
    <Button aria-label={`${t('checkAgain')}: ${t(`lane.${lane}`)}`} onClick={() => send('check.again', { lane })}>
      {t('checkAgain')}
    </Button>
  )
}

/** A lane that does not work: what is wrong, the next step, and how it is done. */
export const TroubledLane = ({ checked }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  const { send } = useAgent()
  const { lane, settings, needsRestart } = checked
  return (
    <Section card title={t(`lane.${lane}`)} data-lane={lane}>
      <State checked={checked} />
      {checked.state === 'silent' && previewOf(lane) === 'level' ? <LevelMeter lane={lane} /> : null}
      <Help checked={checked} />
      <DeviceChoice checked={checked} />
      <Actions>
        {settings ? <Button onClick={() => send('check.settings', { lane })}>{t('checkSettings')}</Button> : null}
        <Again lane={lane} />
        {needsRestart ? <Button onClick={() => send('app.quit', {})}>{t('quit')}</Button> : null}
      </Actions>
    </Section>
  )
}

/** A lane that works, is being tried, or cannot be had here: one row. */
export const CheckedRow = ({ checked }: { readonly checked: Checked }) => {
  const { t } = useLanguage()
  const { lane, state } = checked
  return (
    <li className="lane" data-lane={lane}>
      <LaneLight state={lightOf[state]} />
      <div className="words">
        <p className="line">
          <strong>{t(`lane.${lane}`)}</strong> <span>{t(wordsOf(checked))}</span>
        </p>
        <DeviceChoice checked={checked} />
        {state === 'not_observable' ? <Help checked={checked} /> : null}
      </div>
      {previewOf(lane) === 'level' && state !== 'not_observable' ? <LevelMeter lane={lane} /> : null}
    </li>
  )
}
