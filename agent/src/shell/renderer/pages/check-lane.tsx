import { type ReactNode, useId } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { LaneLight, type LaneState } from '../components/lane-light.tsx'
import { useLanguage } from '../components/language.tsx'
import { LevelMeter } from '../components/level-meter.tsx'
import { PermissionSteps } from '../components/permission-steps.tsx'
import { PreviewPicture } from '../components/preview-picture.tsx'
import { Notice } from '../components/shell.tsx'
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
  const id = useId()
  if (devices.length < 2) return device ? <p className="small">{device}</p> : null
  const chosen = devices.find((one) => one.id === device || one.label === device)
  return (
    <div className="field">
      <label htmlFor={id}>{t('checkDevice')}</label>
      <select
        id={id}
        value={chosen?.id ?? devices[0]?.id}
        onChange={(event) => send('check.choose', { lane, deviceId: event.target.value })}
      >
        {devices.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
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
  const id = useId()
  const { lane, state, settings, driver, needsRestart } = checked
  return (
    <section className="card" aria-labelledby={id} data-lane={lane}>
      <h2 id={id}>{t(`lane.${lane}`)}</h2>
      <p className="state">
        <LaneLight state={lightOf[state]} />
        <strong>{t(wordsOf(checked))}</strong>
      </p>
      <Tried checked={checked} />
      <DeviceChoice checked={checked} />
      <Help checked={checked} />
      {driver && state === 'working' ? <p className="small">{t('checkDriver', { driver })}</p> : null}
      <div className="actions">
        {settings && state !== 'working' ? (
          <button type="button" onClick={() => send('check.settings', { lane })}>
            {t('checkSettings')}
          </button>
        ) : null}
        {state === 'working' ? null : (
          <button
            type="button"
            aria-label={`${t('checkAgain')}: ${t(`lane.${lane}`)}`}
            onClick={() => send('check.again', { lane })}
          >
            {t('checkAgain')}
          </button>
        )}
        {needsRestart ? (
          <button type="button" onClick={() => send('app.quit', {})}>
            {t('quit')}
          </button>
        ) : null}
      </div>
    </section>
  )
}
