import { LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from './people-language.tsx'
import { type ConfigWords, lanes } from './policy-config.ts'
import { useSettingNames } from './policy-versions.tsx'

interface Props {
  readonly words: ConfigWords
  readonly onChange: (part: ConfigWords) => void
  /** The service's words, by the path of a field. */
  readonly said: Readonly<Record<string, string>>
}

const groups = [
  ['retentionDays'],
  ['capture.enabled', 'capture.screenshotIntervalSeconds', 'capture.quality', 'capture.recording'],
  ['audio.enabled', 'audio.microphone', 'audio.systemAudio', 'audio.transcript', 'audio.chunkSeconds'],
  ['camera.enabled', 'camera.stills', 'camera.stillIntervalSeconds', 'camera.clips', 'camera.clipSeconds'],
  ['sideView.enabled', 'sideView.previewIntervalSeconds', 'sideView.recording'],
  ['signals', 'windowTitles', 'pauseAllowed'],
] as const

/** The paths at which the service's words are shown. */
export const saidPaths: readonly string[] = [
  'name',
  'description',
  'config.requiredApps',
  ...groups.flat().map((path) => `config.${path}`),
]

const isSwitch = (value: string | undefined): boolean => value === 'true' || value === 'false'

const Setting = ({ path, words, onChange, said }: Props & { readonly path: string }) => {
  const nameOf = useSettingNames()
  const value = words[path] ?? ''
  if (!isSwitch(value))
    return (
      <LineField
        name={path}
        label={nameOf(path)}
        value={value}
        onChange={(typed) => onChange({ [path]: typed })}
        error={said[`config.${path}`]}
        maxLength={6}
      />
    )
  return (
    <label className="check">
      <input
        type="checkbox"
        name={path}
        checked={value === 'true'}
        onChange={({ target }) => onChange({ [path]: String(target.checked) })}
      />
      {nameOf(path)}
    </label>
  )
}

/** Which parts a candidate may decline and take part all the same. */
const Optional = ({ words, onChange }: Props) => {
  const { t } = useLanguage()
  const chosen = (words['optionalLanes'] ?? '').split('\n')
  const set = (lane: string, on: boolean) => {
    const left = chosen.filter((one) => one !== lane && one !== '')
    onChange({ optionalLanes: [...left, ...(on ? [lane] : [])].join('\n') })
  }
  return (
    <fieldset>
      <legend>{t('peopleConfig.optionalLanes')}</legend>
      {lanes.map((lane) => (
        <label key={lane} className="check">
          <input
            type="checkbox"
            name={`optional ${lane}`}
            checked={chosen.includes(lane)}
            onChange={({ target }) => set(lane, target.checked)}
          />
          {t(`lane.${lane}`)}
        </label>
      ))}
    </fieldset>
  )
}

/** Every setting of a policy. */
export const PolicyFields = (props: Props) => {
  const { t } = useLanguage()
  const { words, onChange, said } = props
  return (
    <>
      {groups.map((paths) => (
        <fieldset key={paths[0]}>
          <legend>{t(`peopleConfigGroup.${paths[0]}`)}</legend>
          {paths.map((path) => (
            <Setting key={path} {...props} path={path} />
          ))}
        </fieldset>
      ))}
      <Optional {...props} />
      <WordsField
        name="requiredApps"
        label={t('peopleConfig.requiredApps')}
        help={t('peopleAppsHelp')}
        value={words['requiredApps'] ?? ''}
        onChange={(requiredApps) => onChange({ requiredApps })}
        error={said['config.requiredApps']}
        optional
        maxLength={2000}
      />
    </>
  )
}
